import * as urn from "@x/urn";
import { checkNamespace, namespaceRules } from "@x/urn/namespaces";
import { urn as urnSchema } from "@x/urn/schema";
import { expect, test } from "vitest";

/** The results of the package with options that leave everything at its default. */
function answers(): unknown {
  const attempt = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      return (error as Error).message;
    }
  };
  const text = "(URN:isbn:0-395-36341-1) urn:a1:b?=c. urn:constructor:x";
  const record = urn.parseUrn("urn:ietf:a%C3%A9");
  return [
    () => urn.parseUrn("urn:a1:b?=c", {}),
    () => urn.parseUrn("urn:a1:~", {}),
    () => urn.isUrn("urn:a1:~", {}),
    () => urn.formatUrn(record, {}),
    () => urn.formatUrn({ ...record, nss: "~" }, {}),
    () => urn.normalizeUrn(record),
    () => urn.displayUrn(record, {}),
    () => urn.encodeNss("a:/b", {}),
    () => urn.decodeNss("a%3Ab", {}),
    () => urn.equivalentUrns("urn:ietf:A", "urn:ietf:a", {}),
    () => urn.equivalentUrns("urn:a:A", "urn:a:a", { namespaces: namespaceRules }),
    () => urn.canonicalKey("urn:ietf:A%c3", {}),
    () => urn.canonicalKey("urn:a:A", { namespaces: namespaceRules }),
    () => urn.findUrns(text, {}),
    () => urn.urnFinder({}).push(text),
    () => checkNamespace("urn:isbn:1", {}),
    () => checkNamespace("urn:a:b", {}),
    () => urnSchema({})["~standard"].validate("urn:isbn:1"),
    () => urnSchema({ checks: {} })["~standard"].validate("urn:a:b"),
  ].map(attempt);
}

const expected = answers();

const lower = (nss: string) => nss.toLowerCase();

test.each<[string, unknown]>([
  ["syntax", "rfc8141"],
  ["namespaces", { ietf: lower }],
  ["by", "exact"],
  ["special", ":"],
  ["trimPunctuation", true],
  ["maxRunLength", 1],
  ["checks", { a: () => [{ code: "a" }] }],
  ["nids", ["a"]],
  ["a", lower],
  ["ietf", lower],
  ["get", "x"],
  ["set", "x"],
  ["nid", "x"],
  ["fComponent", "x"],
])(
  "a property that other code has added to every object, such as %s, has no effect",
  (name, value) => {
    Object.defineProperty(Object.prototype, name, { value, configurable: true });
    let actual: unknown;
    try {
      actual = answers();
    } finally {
      // The property must be removed before anything else runs, such as the test runner.
      Reflect.deleteProperty(Object.prototype, name);
    }
    expect(actual).toEqual(expected);
  },
);
