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
      expect(formatUrn(parsed!)).toBe(input);
      expect(formatUrn(parsed!, { syntax })).toBe(input);
      expect(equivalentUrns(input, input, { syntax })).toBe(true);
    } else {
      expect(parsed).toBeNull();
      const thrown = errorOf(() => parseUrn(input, { syntax }));
      expect(thrown).toBeInstanceOf(UrnError);
      expect(thrown).toMatchObject({ ...error, name: "UrnError", input, section });
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
    "%j is no text",
    (text) => {
      for (const run of [parseUrn, tryParseUrn, isUrn]) {
        expect(() => run(text as string)).toThrow(TypeError);
      }
    },
  );
  test.each(["rfc3986", "", null, 2141])("%j is no syntax", (syntax) => {
    expect(() => parseUrn("urn:a:b", { syntax: syntax as "rfc2141" })).toThrow(TypeError);
  });
  test("the syntax may be undefined", () => {
    expect(parseUrn("urn:a:b?=c", { syntax: undefined }).qComponent).toBeNull();
  });
});

describe("the scheme as written", () => {
  test("is kept, and is no part of the record's value", () => {
    const urn = parseUrn("uRN:a:b");
    expect(urn.scheme).toBe("uRN");
    expect(Object.keys(urn)).toEqual(["nid", "nss", "rComponent", "qComponent", "fComponent"]);
    expect(formatUrn({ ...urn })).toBe("urn:a:b");
  });
  test("is not kept when it is in lower case", () => {
    expect("scheme" in parseUrn("urn:a:b")).toBe(false);
  });
});

test("messages quote the place in one line of ASCII", () => {
  const thrown = errorOf(() => parseUrn(`urn:a:${"x".repeat(100)}\n\u202e${"y".repeat(100)}`));
  expect(thrown.message).toMatch(/^"…[ -~]{20,70}…" at index 106: expected .*\.$/);
  expect(thrown.message).toContain("x\\u000a\\u202ey");
});

test.each(["scheme", "get", "set", "nid", "fComponent"])(
  "what others added to every object, such as %s, has no effect",
  (name) => {
    const texts = ["URN:a1:b", "urn:a1:b"];
    Object.defineProperty(Object.prototype, name, { value: "x", configurable: true });
    let formatted: string[];
    try {
      formatted = texts.map((text) => formatUrn(parseUrn(text)));
    } finally {
      // Before anything else is asked of the test runner, which is no less affected.
      Reflect.deleteProperty(Object.prototype, name);
    }
    expect(formatted).toEqual(texts);
  },
);
