import { describeProblem, HashedUriError, parseHashedUriListLine } from "@x/hashed-uri";
import { expect, test } from "vitest";

test.each([
  ["http://www.thus.net", "scheme-not-hashed"],
  ["  hashed:=00", "hash-algorithm-invalid"],
  ["hashed:sha1=", "hash-value-invalid"],
  ["hashed:md5=00+x", "flag-invalid"],
  ["# hashed-uri colour: red", "list-field-unknown"],
  ["# hashed-uri variant: Q", "list-field-invalid"],
  ["# hashed-uri variant: N", "list-field-conflicting"],
])("the problem of %j has the facts of the error with its code", (line, code) => {
  const read = parseHashedUriListLine(line, { variant: "P" });
  if (read.kind !== "refused") throw new Error(`${line} was not refused`);
  expect(read.code).toBe(code);
  const error = new HashedUriError(read.code, line, read.index);
  const { message, expected, section } = error;
  expect(describeProblem(line, read)).toEqual({
    ...{ code, message, expected },
    index: read.index,
    section,
  });
});
