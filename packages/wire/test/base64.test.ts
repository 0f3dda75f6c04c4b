import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64 } from "../src/message/base64.ts";
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
