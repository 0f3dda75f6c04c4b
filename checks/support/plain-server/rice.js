import { bytesField, fixed64, number } from "./protobuf.js";

/* Rice codes: "Compression" in the pages on v4, Web Risk and v5. Bits are arrays of 0 and 1. */

/** The codes of ascending numbers: the first number, and then each difference as a quotient and a remainder. */
export function rice(numbers, smallestParameter, largestParameter) {
  let sum = 0n;
  for (let i = 1; i < numbers.length; i++) sum += numbers[i] - numbers[i - 1];
  const mean = numbers.length > 1 ? sum / BigInt(numbers.length - 1) : 0n;
  let parameter = smallestParameter;
  while (parameter < largestParameter && 1n << BigInt(parameter + 1) <= mean) parameter++;
  const bits = [];
  for (let i = 1; i < numbers.length; i++) {
    const delta = numbers[i] - numbers[i - 1];
    for (let quotient = delta >> BigInt(parameter); quotient > 0n; quotient--) bits.push(1);
    bits.push(0);
    for (let bit = 0; bit < parameter; bit++) bits.push(Number((delta >> BigInt(bit)) & 1n));
  }
  const data = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) data[i >> 3] |= bit << (i & 7);
  return { first: numbers[0] ?? 0n, parameter, count: Math.max(numbers.length - 1, 0), data };
}

/** The protobuf fields of a code. The first number has one field for every 64 bits, the highest bits first. */
export function riceFields({ first, parameter, count, data }, parts = 1) {
  const part = (index) => BigInt.asUintN(64, first >> BigInt(64 * (parts - 1 - index)));
  const lower = Array.from({ length: parts - 1 }, (_, i) => fixed64(i + 2, part(i + 1)));
  return [
    ...[number(1, part(0)), ...lower],
    ...[number(parts + 1, parameter), number(parts + 2, count), bytesField(parts + 3, data)],
  ];
}
