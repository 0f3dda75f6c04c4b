import { expectLinearGrowth } from "@x/test-support/growth";
import fc from "fast-check";
import { expect, test } from "vitest";
import { queryParameters } from "../src/http/query-parameters.ts";

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

test("queries are read as URLSearchParams reads them", () => {
  const reached = { unescaped: 0, notAscii: 0, notUtf8: 0 };
  fc.assert(
    fc.property(query, (text) => {
      const expected = new URLSearchParams(text);
      const parameters = queryParameters(text);
      expect(parameters.all).toEqual([...expected]);
      for (const name of ["a", "hashPrefixes", "", "="]) {
        expect(parameters.get(name)).toBe(expected.get(name));
      }
      const isAscii = /^[\x21-\x7e]*$/.test(text);
      if (!isAscii) reached.notAscii++;
      else if (/%(ff|zz)/.test(text)) reached.notUtf8++;
      else if (/%3D/.test(text)) reached.unescaped++;
    }),
    { seed: 15, numRuns: 5000 },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(100);
});

test.each(["a&", "&", "=", "a=%41&"])(
  "time grows with the length of %j again and again",
  (part) => {
    expectLinearGrowth(queryParameters, (length) => part.repeat(length));
  },
);
