import {
  fromHex,
  fullHash,
  hashPrefix,
  MAX_PREFIX_BYTES,
  MIN_PREFIX_BYTES,
  toHex,
  truncatedSha256Prefix,
} from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { type MessageInput, message, readVectors } from "./vectors.ts";

describe.each(["web-risk.json", "safe-browsing-v4-hi.json"])("%s", (file) => {
  const { cases } = readVectors<MessageInput & { bits: number }, string>(file);
  test.each(cases)("$section", ({ input, expected }) => {
    expect(toHex(truncatedSha256Prefix(message(input), input.bits))).toBe(expected);
    expect(toHex(hashPrefix(fullHash(message(input)), input.bits / 8))).toBe(expected);
  });
});

const abc = fullHash("abc");

test("every permitted length is the beginning of the full hash", () => {
  for (let bytes = MIN_PREFIX_BYTES; bytes <= MAX_PREFIX_BYTES; bytes++) {
    const prefix = hashPrefix(abc, bytes);
    expect(toHex(prefix)).toBe(toHex(abc).slice(0, 2 * bytes));
    expect(prefix).toEqual(truncatedSha256Prefix("abc", 8 * bytes));
  }
  expect(hashPrefix(abc)).toEqual(hashPrefix(abc, 4));
});

test.each([0, 8, 24, 31, 33, 36, 257, 264, -32, 32.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "bits = %s is out of range",
  (bits) => {
    expect(() => truncatedSha256Prefix("abc", bits)).toThrow(RangeError);
  },
);

test.each([0, 3, 33, 4.5, -4, Number.NaN])("prefixBytes = %s is out of range", (bytes) => {
  expect(() => hashPrefix(abc, bytes)).toThrow(RangeError);
});

test("a prefix has memory of its own, even that of a Node Buffer", () => {
  const hash = Buffer.from(abc) as never as typeof abc;
  const prefix = hashPrefix(hash);
  hash.fill(0);
  expect(toHex(prefix)).toBe("ba7816bf");
  expect(prefix.buffer.byteLength).toBe(4);
  expect(Object.getPrototypeOf(prefix)).toBe(Uint8Array.prototype);
});

test.each([undefined, "ba7816bf", [1, 2, 3, 4], fromHex("ba78"), new Uint8Array(33)])(
  "an argument that is not a full hash is a TypeError: %o",
  (hash) => {
    expect(() => hashPrefix(hash as never)).toThrow(TypeError);
  },
);

test.each(["32", null, {}, 32n])("a length that is not a number is a TypeError: %o", (length) => {
  expect(() => truncatedSha256Prefix("abc", length as never)).toThrow(TypeError);
  expect(() => hashPrefix(abc, length as never)).toThrow(TypeError);
});
