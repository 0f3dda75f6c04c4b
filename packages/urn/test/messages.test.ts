import {
  decodeNss,
  displayUrn,
  encodeNss,
  equivalentUrns,
  findUrns,
  formatUrn,
  isUrn,
  normalizeUrn,
  parseUrn,
  tryParseUrn,
  urnFinder,
  urnProblem,
  usesReservedCharacters,
} from "@x/urn";
import { checkNamespace, ignoreCaseBefore } from "@x/urn/namespaces";
import { describe, expect, test } from "vitest";
import { errorOf, loadVectors, titled } from "./load-vectors.ts";

interface Call {
  readonly call: string;
  readonly arguments: readonly unknown[];
}

const calls = { decodeNss, encodeNss, formatUrn, parseUrn } as Readonly<
  Record<string, (...input: never[]) => unknown>
>;

test.each(titled(loadVectors<Call, string>("messages")))(
  "%s",
  (_, { input, error, expected, section }) => {
    const thrown = errorOf(() => calls[input.call]!(...(input.arguments as never[])));
    expect(thrown).toMatchObject({ ...error, name: "UrnError", message: expected, section });
    expect(expected).toContain(`: expected ${thrown.expected} (${section}).`);
  },
);

test.each(
  titled(loadVectors<Call, string>("messages").filter(({ input }) => input.call === "parseUrn")),
)("%s: urnProblem says what the error says", (_, { input }) => {
  const [text, options] = input.arguments as Parameters<typeof parseUrn>;
  const { code, message, expected, index, section, allowedBy } = errorOf(() =>
    parseUrn(text, options),
  );
  const facts = { code, message, expected, index, section };
  expect(urnProblem(text, options)).toEqual(allowedBy === null ? facts : { ...facts, allowedBy });
});

describe("arguments of a wrong type throw a TypeError that says what was expected", () => {
  const wrong = (value: unknown) => value as never;
  const message = (text: string) => new TypeError(text);

  test.each([parseUrn, tryParseUrn, isUrn, urnProblem])("$name", (read) => {
    expect(() => read(wrong(null))).toThrow(message("text must be a string, not null"));
    expect(() => read("urn:a:b", { syntax: wrong("rfc3986") })).toThrow(
      message('syntax must be "rfc2141" or "rfc8141", not "rfc3986"'),
    );
    expect(() => read("urn:a:b", { syntax: wrong("s".repeat(1000)) })).toThrow(
      message(`syntax must be "rfc2141" or "rfc8141", not "${"s".repeat(40)}"`),
    );
    expect(() => read("urn:a:b", wrong("rfc8141"))).toThrow(
      message('options must be { syntax }, not "rfc8141"'),
    );
    expect(["urn:a:b"].map(read as () => unknown)).toEqual([read("urn:a:b")]);
  });

  test.each([
    [null, "null"],
    [undefined, "undefined"],
    [1, "a number"],
    [["urn:a:b"], "an array"],
    [{}, "an object"],
    [new String("urn:a:b"), "an object"],
    [isUrn, "a function"],
  ])("%s is not the text of a URN", (value, kind) => {
    expect(() => parseUrn(wrong(value))).toThrow(message(`text must be a string, not ${kind}`));
  });

  test.each([
    formatUrn,
    normalizeUrn,
    usesReservedCharacters,
    checkNamespace,
    displayUrn,
    (urn: never) => equivalentUrns(urn, "urn:a:b"),
    (urn: never) => equivalentUrns("urn:a:b", urn),
  ])("records: %s", (use) => {
    for (const [value, kind] of [
      [null, "null"],
      [undefined, "undefined"],
      [1, "a number"],
    ]) {
      expect(() => use(wrong(value))).toThrow(
        message(`urn must be the record of a URN's parts, not ${kind}`),
      );
    }
    for (const value of [{}, { ...parseUrn("urn:a:b"), nid: 1 }]) {
      expect(() => use(wrong(value))).toThrow(
        message("urn must have strings as nid and nss, and strings or null as components"),
      );
    }
  });

  test("a caller's rules", () => {
    const namespaces = { a: () => wrong(undefined) };
    expect(() => equivalentUrns("urn:a:x", "urn:a:y", { namespaces })).toThrow(
      message('the result of the rule for the namespace "a" must be a string, not undefined'),
    );
  });

  test("the delimiter of a rule", () => {
    expect(() => ignoreCaseBefore(wrong(undefined))).toThrow(
      message("delimiter must be a string, not undefined"),
    );
  });

  test("names and running text", async () => {
    expect(() => encodeNss(wrong(1))).toThrow(message("name must be a string, not a number"));
    expect(() => encodeNss("a", { special: wrong(1) })).toThrow(
      message("special must be a string, not a number"),
    );
    expect(() => decodeNss(wrong(1))).toThrow(message("nss must be a string, not a number"));
    expect(() => findUrns(wrong(1))).toThrow(message("text must be a string, not a number"));
    const piece = message("each chunk of text must be a string, not a number");
    expect(() => urnFinder().push(wrong(1))).toThrow(piece);
  });

  test("maxRunLength", () => {
    expect(() => urnFinder({ maxRunLength: wrong("1") })).toThrow(
      message('maxRunLength must be a number, not "1"'),
    );
    for (const maxRunLength of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 28 + 1]) {
      expect(() => urnFinder({ maxRunLength })).toThrow(
        new RangeError(`maxRunLength must be an integer from 1 to 268435456, not ${maxRunLength}`),
      );
    }
  });
});
