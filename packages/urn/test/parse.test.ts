import {
  equivalentUrns,
  formatUrn,
  isUrn,
  parseUrn,
  tryParseUrn,
  type Urn,
  UrnError,
} from "@x/urn";
import { describe, expect, test } from "vitest";
import { errorOf, loadVectors, titled, type Vector } from "./load-vectors.ts";
import { oracleParse } from "./oracle.ts";

describe.each(["rfc2141", "rfc8141"] as const)("%s", (syntax) => {
  const cases = loadVectors<string, Urn>(`parse-${syntax}`).map(withAppended);

  test.each(titled(cases))("%s", (_, { input, expected, error, section }) => {
    const parsed = tryParseUrn(input, { syntax });
    expect(isUrn(input, { syntax })).toBe(expected !== undefined);
    if (expected !== undefined) {
      expect(parsed).toStrictEqual(expected);
      expect(parseUrn(input, { syntax })).toStrictEqual(expected);
      const written = `urn${input.slice(3)}`;
      expect(formatUrn(parsed!)).toBe(written);
      expect(formatUrn(parsed!, { syntax })).toBe(written);
      expect(parseUrn(written, { syntax })).toStrictEqual(expected);
      expect(equivalentUrns(input, input, { syntax })).toBe(true);
    } else {
      expect(parsed).toBeNull();
      const thrown = errorOf(() => parseUrn(input, { syntax }));
      expect(thrown).toBeInstanceOf(UrnError);
      expect(thrown).toMatchObject({ ...error, name: "UrnError", input, section });
      // The grammar of RFC 8141 decides whether it allows a text that RFC 2141 refuses.
      if (input.length < 200) {
        const isAllowed = syntax === "rfc2141" && oracleParse(input, "rfc8141") !== null;
        expect(thrown.allowedBy).toBe(isAllowed ? "rfc8141" : null);
        expect((thrown.message as string).includes("RFC 8141 allows it")).toBe(isAllowed);
      }
      expect(() => equivalentUrns(input, input, { syntax })).toThrow(UrnError);
    }
  });

  test.each(titled(cases.filter(({ input }) => input.length < 200)))(
    "the grammar agrees on %s",
    (_, { input, expected }) => {
      expect(oracleParse(input, syntax)).toEqual(expected ?? null);
    },
  );
});

function withAppended(vector: Vector<string, Urn>): Vector<string, Urn> {
  if (vector.appended === undefined) return vector;
  const { text, times } = vector.appended;
  const tail = text.repeat(times);
  const { expected } = vector;
  const input = vector.input + tail;
  return expected === undefined
    ? { ...vector, input }
    : { ...vector, input, expected: { ...expected, nss: expected.nss + tail } };
}

describe("arguments", () => {
  test.each([undefined, null, 1, {}, ["urn:a:b"], new String("urn:a:b")])(
    "%j is not a string",
    (text) => {
      for (const run of [parseUrn, tryParseUrn, isUrn]) {
        expect(() => run(text as string)).toThrow(TypeError);
      }
    },
  );
  test.each(["rfc3986", "", null, 2141])("%j is not a syntax", (syntax) => {
    expect(() => parseUrn("urn:a:b", { syntax: syntax as "rfc2141" })).toThrow(TypeError);
  });
  test("the syntax may be undefined", () => {
    expect(parseUrn("urn:a:b?=c", { syntax: undefined }).qComponent).toBeNull();
  });
});

test("the scheme is not part of the record, and formatUrn writes it in lower case", () => {
  const urn = parseUrn("uRN:A:b");
  expect(Reflect.ownKeys(urn)).toEqual(["nid", "nss", "rComponent", "qComponent", "fComponent"]);
  expect(formatUrn(urn)).toBe("urn:A:b");
});

test("messages quote the text around the index in one line of ASCII", () => {
  const thrown = errorOf(() => parseUrn(`urn:a:${"x".repeat(100)}\n\u202e${"y".repeat(100)}`));
  expect(thrown.message).toMatch(/^"…[ -~]{20,70}…" at index 106: expected .*\.$/);
  expect(thrown.message).toContain("x\\u000a\\u202ey");
});
