import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64, toBase64, toBase64Url } from "../src/message/base64.ts";
import { codeOf } from "./vectors.ts";

const RUNS = { seed: 15, numRuns: sampleSize(1000) };

test("base64 is read as Node reads it, in both alphabets and with or without padding", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      for (const alphabet of ["base64", "base64url"] as const) {
        const text = Buffer.from(bytes).toString(alphabet);
        const bare = text.replace(/=+$/, "");
        const padded = bare.padEnd(Math.ceil(bare.length / 4) * 4, "=");
        for (const each of [text, bare, padded]) expect(fromBase64(each, "")).toEqual(bytes);
      }
    }),
    RUNS,
  );
});

test("text that is not base64 is refused", () => {
  const text = fc
    .array(fc.constantFrom("A", "b", "-", "/", "=", "é", "!", "\ud800"), { maxLength: 9 })
    .map((characters) => characters.join(""));
  let refused = 0;
  fc.assert(
    fc.property(text, (each) => {
      const digits = each.replace(/={1,2}$/, "");
      const isBase64 =
        /^[A-Za-z0-9+/_-]*$/.test(digits) &&
        digits.length % 4 !== 1 &&
        (digits === each || each.length % 4 === 0);
      if (!isBase64) refused++;
      expect(codeOf(() => fromBase64(each, ""))).toBe(isBase64 ? null : "base64-malformed");
    }),
    RUNS,
  );
  expect(refused).toBeGreaterThan(fewest(100));
  expect(refused).toBeLessThan(900);
});

/** Lengths around the thresholds of the encoder: 96 bytes, and multiples of 49 152 bytes. */
const LENGTHS = [...Array(200).keys(), ...[-2, -1, 0, 1, 2, 49_152].map((more) => 49_152 + more)];

test("bytes of any length are written as Node writes them, and read again", () => {
  const all = Uint8Array.from({ length: 100_000 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 13);
  for (const length of LENGTHS) {
    const bytes = all.subarray(length % 7, (length % 7) + length);
    const text = Buffer.from(bytes).toString("base64");
    expect(toBase64(bytes)).toBe(text);
    expect(toBase64Url(bytes)).toBe(text.replaceAll("+", "-").replaceAll("/", "_"));
    expect(Buffer.compare(fromBase64(text, ""), bytes)).toBe(0);
  }
});

test("one wrong character is found wherever it is", () => {
  const text = "abcdefghijk";
  for (const wrong of ["=", "\0", "\x7f", "\x80", "\xff", "\u0141", "\u4141", "\ud800", " "]) {
    for (let i = 0; i < text.length; i++) {
      const each = text.slice(0, i) + wrong + text.slice(i + 1);
      expect(codeOf(() => fromBase64(each, ""))).toBe("base64-malformed");
    }
  }
});
