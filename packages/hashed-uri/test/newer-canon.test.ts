import { hashUri } from "@x/hashed-uri";
import { expect, test, vi } from "vitest";

vi.mock("@x/canon/hierarchical", async (importOriginal) => ({
  ...(await importOriginal<typeof import("@x/canon/hierarchical")>()),
  parseUri: (input: string) => {
    const facts = { name: "CanonError", code: "new-rule", input, index: 1 };
    throw Object.assign(new Error(), facts, { expected: "something new", section: "RFC 9999 §1" });
  },
}));

test("an error of a newer @x/canon with an unknown code keeps its code, words and section", () => {
  expect(() => hashUri("a:b")).toThrow(
    expect.objectContaining({
      ...{ name: "HashedUriError", code: "new-rule", input: "a:b", index: 1 },
      ...{ expected: "something new", section: "RFC 9999 §1" },
      message: '"a:b" at index 1: expected something new (RFC 9999 §1).',
    }),
  );
});
