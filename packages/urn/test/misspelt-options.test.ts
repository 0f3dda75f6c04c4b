import * as urn from "@x/urn";
import { checkNamespace, namespaceChecks, namespaceRules } from "@x/urn/namespaces";
import { urn as urnSchema } from "@x/urn/schema";
import { expect, test } from "vitest";

const record = urn.parseUrn("urn:isbn:1");

/** Every function with options, each called with some options. */
const CALLS: Readonly<Record<string, (options: never) => unknown>> = {
  parseUrn: (options) => urn.parseUrn("urn:isbn:1", options),
  tryParseUrn: (options) => urn.tryParseUrn("urn:isbn:1", options),
  isUrn: (options) => urn.isUrn("urn:isbn:1", options),
  urnProblem: (options) => urn.urnProblem("urn:isbn:1", options),
  formatUrn: (options) => urn.formatUrn(record, options),
  displayUrn: (options) => urn.displayUrn(record, options),
  encodeNss: (options) => urn.encodeNss("a", options),
  decodeNss: (options) => urn.decodeNss("a", options),
  equivalentUrns: (options) => urn.equivalentUrns("urn:isbn:1", "urn:isbn:1", options),
  canonicalKey: (options) => urn.canonicalKey("urn:isbn:1", options),
  findUrns: (options) => urn.findUrns("urn:isbn:1", options),
  urnFinder: (options) => urn.urnFinder(options),
  "checkNamespace of a text": (options) => checkNamespace("urn:isbn:1", options),
  "checkNamespace of a record": (options) => checkNamespace(record, options),
  "urn of @x/urn/schema": (options) => urnSchema(options),
};

test.each(Object.entries(CALLS))("%s refuses options that do not exist", (_, call) => {
  for (const name of ["Syntax", "sytnax", "NAMESPACES", "namespace", "check", "trim", "bY"]) {
    expect(() => call({ [name]: undefined } as never), name).toThrow(TypeError);
  }
  expect(() => call({} as never)).not.toThrow();
  expect(() => call({ syntax: "rfc8141" } as never)).not.toThrow();
});

const check = namespaceChecks["isbn"]!;
const rule = (nss: string) => nss.toLowerCase();
class Table {
  isbn() {}
}

/** Tables whose entries would never be used. */
const tables = (entry: unknown): readonly (readonly [title: string, table: unknown])[] => [
  ["upper case", { ISBN: entry }],
  ["mixed case", { isbn: entry, Acme: entry }],
  ["a blank", { "isbn ": entry }],
  ["a colon", { "isbn:": entry }],
  ["a scheme", { "urn:isbn": entry }],
  ["an empty key", { "": entry }],
  ["too long", { ["a".repeat(33)]: entry }],
  ["a map", new Map([["isbn", entry]])],
  ["a set", new Set(["isbn"])],
  ["an array", [entry]],
  ["an instance", new Table()],
  ["inherited", Object.create({ isbn: entry })],
  ["not a rule", { isbn: "isbn" }],
  ["null", { isbn: null }],
];

test.each(tables(check))("a table of checks: %s", (_, checks) => {
  expect(() => urnSchema({ checks: checks as never })).toThrow(TypeError);
  expect(() => checkNamespace("urn:isbn:1", { checks: checks as never })).toThrow(TypeError);
});

test.each(tables(rule))("a table of rules: %s", (_, namespaces) => {
  for (const call of [urn.equivalentUrns.bind(null, "urn:a1:A"), urn.canonicalKey]) {
    expect(() => call("urn:a1:a", { namespaces: namespaces as never })).toThrow(TypeError);
  }
});

test("good tables are used", () => {
  const bare = Object.assign(Object.create(null), { isbn: check });
  for (const checks of [namespaceChecks, { ...namespaceChecks, acme: check }, bare]) {
    expect(checkNamespace("URN:ISBN:1", { checks })).not.toEqual([]);
  }
  const namespaces = { ...namespaceRules, acme: rule };
  expect(urn.equivalentUrns("urn:ACME:A", "urn:acme:a", { namespaces })).toBe(true);
});

test.each(["trimDelimiters", "trimPunctuation"])("%s must be a boolean", (name) => {
  for (const value of ["yes", 1, {}]) {
    expect(() => urn.findUrns("urn:a1:b", { [name]: value })).toThrow(TypeError);
  }
});
