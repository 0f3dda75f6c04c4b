import { checker, urlHashes } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { afterEach, expect, test } from "vitest";

let added = "";
afterEach(() => {
  Reflect.deleteProperty(Object.prototype, added);
});

test.each([
  ["prefixBytes", 8],
  ["registrableDomain", () => "evil.example"],
])("a property %s of every object changes no hashes", (name, value) => {
  const before = urlHashes("http://a.b.evil.example/1/2?q");
  added = name;
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  const after = urlHashes("http://a.b.evil.example/1/2?q");
  const short = urlHashes("http://a.b.evil.example/1/2?q", {});
  Reflect.deleteProperty(Object.prototype, name);
  expect(after).toEqual(before);
  expect(short).toEqual(before);
});

test("a function for registrable domains that reads URLs does not end checkMany", () => {
  // A stand-in for `getDomain` of tldts, called without options.
  const registrableDomain = (host: string) => /[a-z]+\.co\.uk(?=[\\/:]|$)/.exec(host)?.[0] ?? null;
  const { checkMany } = checker(prefixList([fullHash("bad.co.uk/")]), { registrableDomain });
  const verdicts = [...checkMany(["http://bad.co.uk\\x", "http://a.bad.co.uk\\@good.example/"])];
  expect(verdicts.map(({ matches, error }) => [matches.length, error])).toEqual([
    [1, null],
    [1, null],
  ]);
  expect(() => urlHashes("http://a.example/", { registrableDomain: () => "b.example" })).toThrow(
    TypeError,
  );
});
