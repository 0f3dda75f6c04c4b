import { afterAll, beforeAll, expect, test, vi } from "vitest";

const WORDS = { expected: "something new", section: "RFC 9999 §1" };

beforeAll(() => {
  vi.resetModules();
  vi.doMock("@x/canon/hierarchical", async (importOriginal) => ({
    ...(await importOriginal<object>()),
    readUri: (input: string) => ({ uri: null, problem: { code: "new-rule", input, index: 1 } }),
  }));
  vi.doMock("@x/canon", async (importOriginal) => ({
    ...(await importOriginal<object>()),
    describeProblem: (_input: string, problem: object) => ({ ...problem, ...WORDS }),
  }));
});
afterAll(() => {
  vi.doUnmock("@x/canon/hierarchical");
  vi.doUnmock("@x/canon");
  vi.resetModules();
});

test("a problem of a newer @x/canon with an unknown code keeps its code, words and section", async () => {
  const { hashUri } = await import("@x/hashed-uri");
  expect(() => hashUri("a:b")).toThrow(
    expect.objectContaining({
      ...{ name: "HashedUriError", code: "new-rule", input: "a:b", index: 1, ...WORDS },
      message: '"a:b" at index 1: expected something new (RFC 9999 §1).',
    }),
  );
});
