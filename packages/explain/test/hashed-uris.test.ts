import { explainMatch, publishedUri, unusableReason } from "@x/explain";
import { hashedUriMatcher, hashUri, parseHashedUri } from "@x/hashed-uri";
import { expect, test } from "vitest";

const THUS = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481";

test("a published URI is the hashed URI and its parts", () => {
  const uri = "http://www.thus.net#end";
  for (const input of [uri, new TextEncoder().encode(uri)]) {
    expect(publishedUri(input)).toEqual({ hashed: THUS, ...parseHashedUri(THUS) });
  }
  const options = { algorithm: "md5", keepFragment: true };
  expect(publishedUri(uri, options)).toMatchObject({ hashed: hashUri(uri, options) });
});

test("a match has the entry as it was given, and its text", () => {
  const entries = [{ ...parseHashedUri(THUS), line: 7 }];
  const matcher = hashedUriMatcher(entries);
  const match = (uri: string) => matcher(uri) as (typeof entries)[number] | null;
  expect(explainMatch("HTTP://www.Thus.net:80", match)).toEqual({
    matched: true,
    entry: { ...entries[0], hashed: THUS },
  });
  expect(explainMatch("http://www.thus.net/", match)).toEqual({ matched: false, entry: null });
});

test("an input that is not a URI is refused, and nothing else is", () => {
  const match = hashedUriMatcher([THUS]);
  for (const result of [publishedUri("x"), explainMatch("x", match)]) {
    expect(result).toMatchObject({ error: { code: "base-missing", index: 0 } });
  }
  const bytes = Uint8Array.of(0x61, 0xff);
  for (const result of [publishedUri(bytes), explainMatch(bytes, match)]) {
    expect(result).toMatchObject({ error: { code: "not-utf8" } });
  }
  const fault = () => {
    throw new Error("a fault");
  };
  expect(() => explainMatch("http://a/", fault)).toThrow("a fault");
});

test("the reason why an entry never matches is safe to show", () => {
  const { unusable } = hashedUriMatcher(["hashed:sha1=0", "hashed:md5=00", "hashed:x-a=00"]);
  expect(unusable.map(unusableReason)).toEqual([
    "no sha1 hash has 1 digit",
    "no md5 hash has 2 digits",
    'the algorithm "x-a" is not known',
  ]);
});
