import { fromHex, toHex } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readVectors } from "./vectors.ts";

test.each(readVectors<string, string>("rfc4648-base16.json").cases)(
  "$section: $expected",
  ({ input, expected }) => {
    const bytes = new TextEncoder().encode(input);
    expect(toHex(bytes)).toBe(expected.toLowerCase());
    expect(fromHex(expected)).toEqual(bytes);
  },
);

test("toHex writes what the platform writes, and fromHex reads it in either case", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const hex = toHex(bytes);
      expect(hex).toBe(Buffer.from(bytes).toString("hex"));
      expect(fromHex(hex)).toEqual(bytes);
      expect(fromHex(hex.toUpperCase())).toEqual(bytes);
    }),
    { seed: 4648 },
  );
});

test.each([
  ["b", "hex-length-odd", 1],
  ["ba7", "hex-length-odd", 3],
  ["g0", "hex-digit-invalid", 0],
  ["0x12", "hex-digit-invalid", 1],
  ["ba 78", "hex-digit-invalid", 2],
  ["ba78\n", "hex-digit-invalid", 4],
  ["ba7\uff18", "hex-digit-invalid", 3],
  [`${"0".repeat(1000)}-1`, "hex-digit-invalid", 1000],
])("%j is refused as %s at %d", (text, code, index) => {
  let thrown: unknown;
  try {
    fromHex(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    name: "Sha256PrefixError",
    code,
    input: text,
    index,
    section: "RFC 4648 §8",
  });
});

test.each([
  ["0xba", '"0xba" at index 1: expected a hexadecimal digit (0-9, a-f, A-F) (RFC 4648 §8).'],
  ["ba7", '"ba7" at index 3: expected a second hexadecimal digit for the last byte (RFC 4648 §8).'],
  [
    "a\n",
    String.raw`"a\u{a}" at index 1: expected a hexadecimal digit (0-9, a-f, A-F) (RFC 4648 §8).`,
  ],
  [
    `${"0".repeat(1000)}-1`,
    `"…${"0".repeat(58)}-1" at index 1000: expected a hexadecimal digit (0-9, a-f, A-F) (RFC 4648 §8).`,
  ],
  [
    `${"0".repeat(100)}-${"1".repeat(100)}`,
    `"…${"0".repeat(30)}-${"1".repeat(29)}…" at index 100: expected a hexadecimal digit (0-9, a-f, A-F) (RFC 4648 §8).`,
  ],
])("the message for %j quotes the text around the index", (text, message) => {
  expect(() => fromHex(text)).toThrow(expect.objectContaining({ message }));
});

test("any text gives bytes or the package's error", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF"), maxLength: 20 });
  let [read, refused] = [0, 0];
  fc.assert(
    fc.property(fc.oneof(digits, fc.string()), (text) => {
      if (/^([0-9a-f]{2})*$/i.test(text)) {
        read++;
        expect(toHex(fromHex(text))).toBe(text.toLowerCase());
      } else {
        refused++;
        expect(() => fromHex(text)).toThrow(
          expect.objectContaining({ name: "Sha256PrefixError" }) as Error,
        );
      }
    }),
    { seed: 4648, numRuns: sampleSize(500) },
  );
  expect(Math.min(read, refused)).toBeGreaterThan(fewest(50));
});

test("wrong types are a TypeError", () => {
  expect(() => toHex("ba" as never)).toThrow(TypeError);
  expect(() => toHex([1] as never)).toThrow(TypeError);
  expect(() => fromHex(12 as never)).toThrow(TypeError);
  expect(() => fromHex(undefined as never)).toThrow(TypeError);
});

test.each([0, 31, 32, 33, 4095, 4096, 4097, 8192, 12_289])(
  "toHex writes %d bytes as the platform does",
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) & 0xff);
    expect(toHex(bytes)).toBe(Buffer.from(bytes).toString("hex"));
  },
);
