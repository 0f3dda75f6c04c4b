import { MAX_URL_LENGTH } from "@x/canon";
import { hashedUriMatcher, hashUri, parseHashedUri } from "@x/hashed-uri";
import { expect, test } from "vitest";

const ofLength = (length: number, start: string, unit: string) =>
  start + unit.repeat(length - start.length);
const refusal = (input: string) =>
  expect.objectContaining({ name: "HashedUriError", code: "too-long", input, index: null });

test.each(["http://a/", "mailto:", "urn:a:"])("the limit of @x/canon applies to %s", (start) => {
  const tooLong = ofLength(MAX_URL_LENGTH + 1, start, "b");
  expect(() => hashUri(tooLong)).toThrow(refusal(tooLong));
  expect(() => hashedUriMatcher([])(tooLong)).toThrow(refusal(tooLong));
});

test("the limit applies to a base too", () => {
  const tooLong = ofLength(MAX_URL_LENGTH + 1, "http://a/", "b");
  expect(() => hashUri("c", { base: tooLong })).toThrow(refusal(tooLong));
});

test("a URI of the maximum length is accepted: percent signs", () => {
  const { value } = parseHashedUri(hashUri(ofLength(MAX_URL_LENGTH, "http://a/", "%")));
  expect(value).toHaveLength(40);
});
