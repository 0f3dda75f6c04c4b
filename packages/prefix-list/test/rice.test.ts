import { type RiceDeltas, riceDecode, riceEncode } from "@x/prefix-list/rice";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unhex } from "./oracle.ts";

const runs = { seed: 20261121, numRuns: sampleSize(3000, 300) };

/** Encodes values as the specification describes it, by writing text of 0 and 1. */
function plainCodes(values: ArrayLike<number>, parameter: number): Uint8Array {
  let bits = "";
  for (let i = 1; i < values.length; i++) {
    const delta = values[i]! - values[i - 1]!;
    bits += `${"1".repeat(Math.floor(delta / 2 ** parameter))}0`;
    for (let bit = 0; bit < parameter; bit++) bits += Math.floor(delta / 2 ** bit) % 2;
  }
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt([...byte].reverse().join(""), 2));
}

/** floor(log2(mean delta · 0.9624)) from 3 to 30, in whole numbers. */
function plainParameter(deltas: number, range: number): number {
  let parameter = 3;
  const fits = (k: number) => BigInt(deltas) << BigInt(k + 20) <= BigInt(range) * 1_009_174n;
  while (deltas > 0 && parameter < 30 && fits(parameter + 1)) parameter++;
  return parameter;
}

const ascending: fc.Arbitrary<Uint32Array<ArrayBuffer>> = fc
  .tuple(fc.nat(32), fc.nat(0xffffffff))
  .chain(([bits, first]) => {
    const delta = fc.oneof(fc.nat(20), fc.nat(2 ** bits - 1), fc.nat(2 ** bits - 1));
    return fc.tuple(fc.constant(first >>> 1), fc.array(delta, { maxLength: 40 }));
  })
  .map(([first, deltas]) => {
    const values = [first];
    for (const delta of deltas) {
      const next = values.at(-1)! + delta;
      if (next <= 0xffffffff) values.push(next);
    }
    return Uint32Array.from(values);
  });

test("codes follow the specification, and can be decoded again", () => {
  const parameters = new Set<number>();
  let long = 0;
  fc.assert(
    fc.property(ascending, (values) => {
      const coded = riceEncode(values);
      const { firstValue, riceParameter, entriesCount, encodedData } = coded;
      const last = values.at(-1)!;
      expect(firstValue).toBe(values[0]);
      expect(entriesCount).toBe(values.length - 1);
      expect(riceParameter).toBe(plainParameter(entriesCount, last - firstValue));
      expect(encodedData).toEqual(plainCodes(values, riceParameter));
      expect(riceDecode(coded)).toEqual(values);
      parameters.add(riceParameter);
      const isLong = (value: number, i: number) =>
        i > 0 && (value - values[i - 1]!) / 2 ** riceParameter + riceParameter > 32;
      if (values.some(isLong)) long++;
    }),
    runs,
  );
  for (let parameter = 3; parameter <= 30; parameter++) expect(parameters).toContain(parameter);
  expect(long).toBeGreaterThan(fewest(20));
});

test("codes with any parameter are decoded", () => {
  fc.assert(
    fc.property(ascending, fc.nat(30), (values, riceParameter) => {
      // A small parameter turns a large delta into a long unary number.
      const near = values.filter((value) => (value - values[0]!) / 2 ** riceParameter < 10_000);
      const [firstValue, entriesCount] = [near[0]!, near.length - 1];
      const encodedData = plainCodes(near, riceParameter);
      const coded = { firstValue, riceParameter, entriesCount, encodedData };
      expect(riceDecode(coded, { riceParameters: [0, 30] })).toEqual(near);
    }),
    runs,
  );
});

test("encoding keeps the parameter within its bounds", () => {
  const wide = Uint32Array.of(0, 0xffffffff);
  expect(riceEncode(wide).riceParameter).toBe(30);
  expect(riceEncode(wide, { riceParameters: [2, 28] }).riceParameter).toBe(28);
  expect(riceEncode(Uint32Array.of(7)).riceParameter).toBe(3);
  expect(riceEncode(Uint32Array.of(7), { riceParameters: [2, 28] }).riceParameter).toBe(2);
});

test("any codes and numbers give values or the package's own error, in linear work", () => {
  const number = fc.oneof(fc.nat(40), fc.nat(0xffffffff), fc.double());
  const small = fc.record({
    firstValue: fc.nat(0xffffffff),
    riceParameter: fc.integer({ min: 3, max: 8 }),
    entriesCount: fc.nat(4),
    encodedData: fc.uint8Array({ maxLength: 3 }),
  });
  const hostile: fc.Arbitrary<RiceDeltas> = fc.record({
    firstValue: number,
    riceParameter: fc.oneof(fc.integer({ min: 3, max: 30 }), number),
    entriesCount: number,
    encodedData: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.constantFrom(0, 0xff), { maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
    ),
  });
  const reached = { values: 0, errors: 0 };
  fc.assert(
    fc.property(fc.oneof(small, hostile), (coded) => {
      try {
        const values = riceDecode(coded);
        reached.values++;
        expect(plainCodes(values, coded.riceParameter)).toEqual(coded.encodedData);
      } catch (error) {
        reached.errors++;
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(rice-invalid|too-many-entries)$/),
        });
      }
    }),
    { ...runs, numRuns: sampleSize(5_000) },
  );
  expect(reached.values).toBeGreaterThan(fewest(20));
  expect(reached.errors).toBeGreaterThan(fewest(1_000));
});

describe("codes that are refused", () => {
  const good = riceEncode(Uint32Array.of(5, 20, 29));
  test.each<[string, Partial<RiceDeltas>]>([
    ["more deltas than bits", { entriesCount: 5 }],
    ["more deltas than codes", { entriesCount: 4 }],
    ["fewer deltas: filling that is not 0", { entriesCount: 1 }],
    ["a byte of filling", { encodedData: Uint8Array.of(...good.encodedData, 0) }],
    ["codes without deltas", { entriesCount: 0 }],
    ["filling of 1 bits", { encodedData: Uint8Array.of(0xbd, 0x80) }],
    ["a sum of 2 ** 32", { firstValue: 0xffffffff - 23 }],
    [
      "a quotient too large",
      { riceParameter: 30, entriesCount: 1, encodedData: unhex("0f00000000") },
    ],
    ["an endless quotient", { entriesCount: 1, encodedData: new Uint8Array(1000).fill(0xff) }],
    ["a parameter of 2", { riceParameter: 2 }],
    ["a parameter of 31", { riceParameter: 31 }],
    ["a parameter that is not whole", { riceParameter: 3.5 }],
    ["a negative count", { entriesCount: -1 }],
    ["a count that is not whole", { entriesCount: 0.5 }],
    ["a negative first value", { firstValue: -1 }],
    ["a first value of 2 ** 32", { firstValue: 2 ** 32 }],
  ])("%s", (_, change) => {
    const bad = expect.objectContaining({ code: "rice-invalid" });
    expect(() => riceDecode({ ...good, ...change })).toThrow(bad);
  });
  test("the largest value is accepted", () => {
    expect([...riceDecode({ ...good, firstValue: 0xffffffff - 24 })].at(-1)).toBe(0xffffffff);
  });
  test("more values than maxEntries, before memory is allocated", () => {
    expect([...riceDecode(good, { maxEntries: 3 })]).toEqual([5, 20, 29]);
    const tooMany = expect.objectContaining({ code: "too-many-entries" });
    expect(() => riceDecode(good, { maxEntries: 2 })).toThrow(tooMany);
    expect(() => riceDecode({ ...good, entriesCount: 0xffffffff })).toThrow(tooMany);
  });
  test.each([[null], [{}], [[]], ["codes"], [{ ...good, encodedData: "3d" }]])("%j", (value) => {
    expect(() => riceDecode(value as never)).toThrow(TypeError);
  });
});

describe("values that are refused", () => {
  test("no values, and values that descend", () => {
    expect(() => riceEncode(new Uint32Array(0))).toThrow(RangeError);
    expect(() => riceEncode(Uint32Array.of(2, 1))).toThrow(RangeError);
  });
  test.each([[[1, 2]], [Uint8Array.of(1)], [null]])("%o", (values) => {
    expect(() => riceEncode(values as never)).toThrow(TypeError);
  });
  test.each([[[3, 31]], [[-1, 3]], [[5, 4]], [[3.5, 30]]])("parameters of %j", (parameters) => {
    const options = { riceParameters: parameters as never };
    expect(() => riceEncode(Uint32Array.of(1), options)).toThrow(RangeError);
  });
  test("parameters that are not two numbers", () => {
    const options = { riceParameters: ["3", 30] as never };
    expect(() => riceEncode(Uint32Array.of(1), options)).toThrow(TypeError);
  });
});
