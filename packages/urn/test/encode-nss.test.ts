import { decodeNss, type EncodeNssOptions, encodeNss, isUrn, UrnError } from "@x/urn";
import { describe, expect, test } from "vitest";
import { errorOf, loadVectors, titled } from "./load-vectors.ts";

describe("encodeNss", () => {
  test.each(titled(loadVectors<string, string>("encode-nss")))(
    "%s",
    (_, { input, options, expected, error, section }) => {
      if (error !== undefined) {
        const thrown = errorOf(() => encodeNss(input, options));
        expect(thrown).toBeInstanceOf(UrnError);
        expect(thrown).toMatchObject({ ...error, input, section });
        return;
      }
      expect(encodeNss(input, options)).toBe(expected);
      expect(isUrn(`urn:example:${expected}`, options)).toBe(true);
      expect(decodeNss(expected!, options)).toBe(input);
      // The platform's own UTF-8 decoder must agree.
      expect(decodeURIComponent(expected!)).toBe(input);
    },
  );
});

describe("decodeNss", () => {
  test.each(titled(loadVectors<string, string>("decode-nss")))(
    "%s",
    (_, { input, options, expected, error, section }) => {
      if (error !== undefined) {
        const thrown = errorOf(() => decodeNss(input, options));
        expect(thrown).toBeInstanceOf(UrnError);
        expect(thrown).toMatchObject({ ...error, input });
        if (error.code !== "escapes-not-utf8") expect(thrown.section).toBe(section);
        return;
      }
      expect(decodeNss(input, options)).toBe(expected);
    },
  );
});

test("the error for an NSS that only RFC 8141 allows says so", () => {
  expect(errorOf(() => decodeNss("a~b"))).toMatchObject({
    code: "nss-character",
    allowedBy: "rfc8141",
  });
  expect(errorOf(() => decodeNss("a~b c"))).toMatchObject({ index: 1, allowedBy: null });
  expect(errorOf(() => decodeNss("%FF"))).toMatchObject({ allowedBy: null });
});

test.each([undefined, null, 1, {}])("%j is not a string", (text) => {
  expect(() => encodeNss(text as string)).toThrow(TypeError);
  expect(() => decodeNss(text as string)).toThrow(TypeError);
  if (text !== undefined && text !== null) {
    expect(() => encodeNss("a", { special: text } as unknown as EncodeNssOptions)).toThrow(
      TypeError,
    );
  }
});
