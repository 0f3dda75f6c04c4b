import { expect, test } from "vitest";
import { answerCache, type CachedAnswer } from "../../src/serve/answer-cache.ts";

const ANSWER: CachedAnswer = {
  body: new Uint8Array(0),
  headers: {},
  etag: null,
  route: "test",
  facts: { isPrivate: false, expires: null, updates: [], search: null },
  logged: "",
};

const withAccept = (accept: string, target = "/x") => ({
  target,
  headers: { get: (name: string) => (name === "accept" ? accept : null) },
});

test("an answer is kept by its target and headers", () => {
  const cache = answerCache();
  cache.set(withAccept("a"), ANSWER);
  expect(cache.get(withAccept("a"))).toBe(ANSWER);
  expect(cache.get(withAccept("b"))).toBeUndefined();
  expect(cache.get(withAccept("a", "/y"))).toBeUndefined();
});

test("nothing is kept by texts that V8 hashes by their length alone", () => {
  const cache = answerCache();
  const long = "x".repeat(16_384);
  for (const request of [withAccept(long), withAccept("a", `/${long}`)]) {
    cache.set(request, ANSWER);
    expect(cache.get(request)).toBeUndefined();
  }
});

test("what answers are kept by counts as memory", () => {
  const cache = answerCache();
  const request = (i: number) => withAccept(`${i}`.padEnd(8000, "x"));
  // These are fewer than 20 000 answers, but they take more than 128 MiB.
  for (let i = 0; i < 17_500; i++) cache.set(request(i), ANSWER);
  expect(cache.get(request(17_499))).toBe(ANSWER);
  expect(cache.get(request(0))).toBeUndefined();
});
