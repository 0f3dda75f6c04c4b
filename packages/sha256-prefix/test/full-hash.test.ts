import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { type FullHash, fullHash, Sha256PrefixError, toHex } from "@x/sha256-prefix";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MessageInput, message, readVectors } from "./vectors.ts";

const platform = (input: string | Uint8Array) => createHash("sha256").update(input).digest("hex");

describe.each(["nist-short-messages.json", "rfc6234.json"])("%s", (file) => {
  test.each(readVectors<MessageInput, string>(file).cases)("$section", ({ input, expected }) => {
    expect(toHex(fullHash(message(input)))).toBe(expected);
  });
});

test.each(readVectors<{ seed: string }, string[]>("rfc6234-monte-carlo.json").cases)(
  "$section",
  ({ input, expected }) => {
    let seed: Uint8Array = Uint8Array.from(Buffer.from(input.seed, "hex"));
    for (const checkpoint of expected) {
      let last = [seed, seed, seed];
      for (let i = 3; i < 1003; i++) last = [...last.slice(1), fullHash(Buffer.concat(last))];
      seed = last[2]!;
      expect(toHex(seed)).toBe(checkpoint);
    }
  },
);

test("every length from 0 to 300, as bytes and as text", () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 0xff);
    expect(toHex(fullHash(bytes))).toBe(platform(bytes));
    const text = "x".repeat(length);
    expect(toHex(fullHash(text))).toBe(platform(text));
  }
});

test("text of any kind is hashed as UTF-8, or refused when UTF-8 has no bytes for it", () => {
  const reached = { ascii: 0, latin1: 0, wide: 0, refused: 0, long: 0 };
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 200 }) },
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
    // The first code units that UTF-8 encodes in two bytes, among ASCII.
    fc
      .array(fc.integer({ min: 0x60, max: 0x180 }), { maxLength: 5 })
      .map((units) => String.fromCharCode(...units)),
    // Arbitrary code units, including halves of surrogate pairs.
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
      .map((units) => String.fromCharCode(...units)),
    fc.array(fc.constantFrom("\ud83d", "\ude00", "a"), { maxLength: 8 }).map((u) => u.join("")),
    fc.string({ unit: "grapheme", minLength: 60, maxLength: 3000, size: "max" }),
  );
  fc.assert(
    fc.property(text, (input) => {
      // Text without lone surrogates is the same after encoding and decoding.
      const wellFormed =
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(input)) ===
        input;
      if (wellFormed) {
        expect(toHex(fullHash(input))).toBe(platform(input));
        if (input.length > 1000) reached.long++;
        if (/^[\0-\x7f]*$/.test(input)) reached.ascii++;
        else if (/^[\0-\xff]*$/.test(input)) reached.latin1++;
        else reached.wide++;
        return;
      }
      reached.refused++;
      expect(() => fullHash(input)).toThrow(Sha256PrefixError);
    }),
    { seed: 6234, numRuns: sampleSize(3000) },
  );
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(fewest(50));
});

test.each([
  ["\ud800", 0],
  ["abc\udc00", 3],
  ["😀\ud83d", 2],
  ["\ude00\ud83d", 0],
  [`${"é".repeat(5000)}\ud83dx`, 5000],
])("half of a surrogate pair is refused at its index (%#)", (text, index) => {
  let thrown: unknown;
  try {
    fullHash(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    name: "Sha256PrefixError",
    code: "lone-surrogate",
    input: text,
    index,
    section: "RFC 3629 §3",
  });
  expect((thrown as Error).message.length).toBeLessThan(250);
});

test("the offset of a view in its buffer does not matter, and shared memory is read, too", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(16));
  shared.set([97, 98, 99], 5);
  expect(toHex(fullHash(shared.subarray(5, 8)))).toBe(platform("abc"));
  expect(toHex(fullHash(Buffer.from("abc")))).toBe(platform("abc"));
});

test("bytes of another realm are bytes", () => {
  const foreign = runInNewContext("Uint8Array.of(97, 98, 99)") as Uint8Array;
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect(toHex(fullHash(foreign))).toBe(platform("abc"));
});

test("results own their memory", () => {
  const first: FullHash = fullHash("abc");
  const before = toHex(first);
  const second = fullHash("abd");
  expect(toHex(first)).toBe(before);
  second.fill(0);
  expect(toHex(fullHash("abd"))).toBe(platform("abd"));
  expect(first.buffer.byteLength).toBe(32);
});

test.each([
  [undefined, "undefined"],
  [null, "null"],
  [42, "a number"],
  [{}, "an object"],
  [[97], "an array"],
  [new ArrayBuffer(3), "an object"],
  [new Uint16Array(2), "an object"],
  [new DataView(new ArrayBuffer(3)), "an object"],
  [() => "abc", "a function"],
])(
  "an argument that is neither text nor bytes is a TypeError that says what it is: %o",
  (value, kind) => {
    const message = `text must be a string or a Uint8Array, not ${kind}`;
    expect(() => fullHash(value as never)).toThrow(new TypeError(message));
  },
);

test("every code unit up to U+0900, alone and within text", () => {
  for (let unit = 0; unit <= 0x900; unit++) {
    const character = String.fromCharCode(unit);
    expect(toHex(fullHash(character)), unit.toString(16)).toBe(platform(character));
    const text = `b.example/${character}/`;
    expect(toHex(fullHash(text))).toBe(platform(text));
  }
});
