/**
 * The codes of a plain Rice coder, which follows the specification step by step, with bits in an array and numbers as
 * BigInt.
 */

export interface PlainRice {
  readonly first: bigint;
  readonly parameter: number;
  readonly count: number;
  readonly data: Uint8Array;
}

export function plainEncode(values: readonly bigint[], parameter: number): PlainRice {
  const bits: number[] = [];
  for (let i = 1; i < values.length; i++) {
    const delta = values[i]! - values[i - 1]!;
    for (let ones = delta >> BigInt(parameter); ones > 0n; ones--) bits.push(1);
    bits.push(0);
    for (let k = 0n; k < BigInt(parameter); k++) bits.push(Number((delta >> k) & 1n));
  }
  const data = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => {
    data[i >> 3]! |= bit << (i & 7);
  });
  return { first: values[0]!, parameter, count: values.length - 1, data };
}

/** The values, or `null` when the codes break a rule. */
export function plainDecode(coded: PlainRice, width: number): bigint[] | null {
  const { first, parameter, count, data } = coded;
  const values = [first];
  let at = 0;
  const next = () => (at < data.length * 8 ? (data[at >> 3]! >> (at++ & 7)) & 1 : Number.NaN);
  for (let i = 0; i < count; i++) {
    let quotient = 0n;
    for (;;) {
      const bit = next();
      if (Number.isNaN(bit)) return null;
      if (bit === 0) break;
      quotient++;
    }
    let delta = quotient << BigInt(parameter);
    for (let k = 0n; k < BigInt(parameter); k++) {
      const bit = next();
      if (Number.isNaN(bit)) return null;
      delta += BigInt(bit) << k;
    }
    const value = values[i]! + delta;
    if (quotient >= 1n << BigInt(width - parameter) || value >= 1n << BigInt(width)) return null;
    if (delta === 0n) return null;
    values.push(value);
  }
  if (data.length * 8 - at >= 8) return null;
  while (at < data.length * 8) if (next() !== 0) return null;
  return values;
}

export function toBytes(value: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex"));
}

export function fromBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}
