import { isUtf8 as isUtf8Bytes } from "node:buffer";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parameterIn, queryParameters } from "../src/http/query.ts";
import { codeOf } from "./vectors.ts";

const PIECES = [
  "hashPrefixes",
  "AQIDBA",
  "a",
  "&",
  "=",
  "+",
  "%",
  "%3D",
  "%26",
  "%2B",
  "%C3%A9",
  "%c3",
  "%ff",
  "%EF%BB%BF",
  "%zz",
  " ",
  "#",
  "?",
  "\0",
  "é",
  "\ud800",
  "💡",
];
const query = fc.array(fc.constantFrom(...PIECES)).map((pieces) => pieces.join(""));

/** Whether the bytes of a query are UTF-8. */
function isUtf8(text: string): boolean {
  if (/\p{Surrogate}/u.test(text)) return false;
  const unescaped = Buffer.from(text)
    .toString("latin1")
    .replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return isUtf8Bytes(Buffer.from(unescaped, "latin1"));
}

test("queries are read as URLSearchParams reads them, but only in UTF-8", () => {
  const reached = { unescaped: 0, notAscii: 0, notUtf8: 0, noEscape: 0 };
  fc.assert(
    fc.property(query, (text) => {
      if (!isUtf8(text)) {
        reached.notUtf8++;
        expect(codeOf(() => queryParameters(text))).toBe("text-malformed");
        return;
      }
      const expected = new URLSearchParams(text);
      const parameters = queryParameters(text);
      expect(parameters).toEqual([...expected]);
      for (const name of ["a", "hashPrefixes", "", "="]) {
        expect(parameterIn(parameters, name)).toBe(expected.get(name));
      }
      const isAscii = /^[\x21-\x7e]*$/.test(text);
      if (!isAscii) reached.notAscii++;
      else if (/%zz/.test(text)) reached.noEscape++;
      else if (/%3D/.test(text)) reached.unescaped++;
    }),
    { seed: 15, numRuns: sampleSize(5000) },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(fewest(100));
});

test.each(["a&", "&", "=", "a=%41&"])(
  "time grows with the length of %j again and again",
  (part) => {
    expectLinearGrowth(queryParameters, (length) => part.repeat(length));
  },
);
