import { canonicalizeHierarchical } from "@x/canon/hierarchical";
import { hashUri, matchesHashedUri, otherSpelling } from "@x/hashed-uri";
import { afterEach, expect, test } from "vitest";

const URI = "http://www.Example.com//a/index.html?q#top";
const HASHED = hashUri(URI);
const results = () => [
  hashUri(URI),
  hashUri(URI, {}),
  hashUri("http://a.example/"),
  matchesHashedUri(HASHED, URI),
  otherSpelling("http://a.example"),
  canonicalizeHierarchical(URI, { variant: "N" }),
];

let added = "";
afterEach(() => {
  Reflect.deleteProperty(Object.prototype, added);
});

test.each([
  ["variant", "P"],
  ["base", "http://b.example/"],
  ["algorithm", "md5"],
  ["algorithms", { "x-a": () => new Uint8Array(4) }],
  ["schemes", { http: () => "x" }],
  ["keepQuery", true],
  ["keepFragment", true],
])("a property %s of every object changes no hashed URI", (name, value) => {
  const before = results();
  added = name;
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  const after = results();
  Reflect.deleteProperty(Object.prototype, name);
  expect(after).toEqual(before);
});
