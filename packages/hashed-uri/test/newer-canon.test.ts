import { afterAll, beforeAll, expect, test, vi } from "vitest";

const CANON = "@x/canon/hierarchical";

beforeAll(() => {
  vi.resetModules();
  vi.doMock(CANON, async (importOriginal) => ({
    ...(await importOriginal<typeof import("@x/canon/hierarchical")>()),
    parseUri: (input: string) => {
      const facts = { name: "CanonError", code: "new-rule", input, index: 1 };
      throw Object.assign(new Error(), facts, {
        expected: "something new",
        section: "RFC 9999 §1",
      });
    },
  }));
});
afterAll(() => {
  vi.doUnmock(CANON);
  vi.resetModules();
});

test("an error of a newer @x/canon with an unknown code keeps its code, words and section", async () => {
  const { hashUri } = await import("@x/hashed-uri");
  expect(() => hashUri("a:b")).toThrow(
    expect.objectContaining({
      ...{ name: "HashedUriError", code: "new-rule", input: "a:b", index: 1 },
      ...{ expected: "something new", section: "RFC 9999 §1" },
      message: '"a:b" at index 1: expected something new (RFC 9999 §1).',
    }),
  );
});
