/* Plain readers of Protobuf messages and Rice coding, written from the specifications to check the real ones. */

/** The values of each field of a message, in order: varints as numbers, and all other fields as bytes. */
export type PlainFields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

export function readFields(bytes: Uint8Array): PlainFields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

export const bytesAt = (fields: PlainFields, number: number): Uint8Array =>
  (fields.get(number)?.[0] as Uint8Array | undefined) ?? new Uint8Array(0);
export const numberAt = (fields: PlainFields, number: number): number =>
  Number(fields.get(number)?.[0] ?? 0n);
export const messagesAt = (fields: PlainFields, number: number): PlainFields[] =>
  (fields.get(number) ?? []).map((bytes) => readFields(bytes as Uint8Array));

/**
 * Reads the ascending numbers of a Rice-coded message. Its fields are the first value (1), the parameter (2), the count
 * (3) and the data (4).
 */
export function readRice(fields: PlainFields): number[] {
  return readRiceData(
    numberAt(fields, 1),
    numberAt(fields, 2),
    numberAt(fields, 3),
    bytesAt(fields, 4),
  );
}

/** Reads the first number and `count` more. */
export function readRiceData(
  first: number,
  parameter: number,
  count: number,
  data: Uint8Array,
): number[] {
  let bit = 0;
  const nextBit = () => {
    const value = (data[bit >> 3]! >> (bit & 7)) & 1;
    bit++;
    return value;
  };
  const numbers = [first];
  for (let left = count; left > 0; left--) {
    let quotient = 0;
    while (nextBit() === 1) quotient++;
    let rest = 0;
    for (let i = 0; i < parameter; i++) rest += nextBit() * 2 ** i;
    numbers.push(numbers.at(-1)! + quotient * 2 ** parameter + rest);
  }
  return numbers;
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
}

/** Encodes a field that contains a number or bytes. */
export function field(number: number, value: number | Uint8Array): Uint8Array {
  return typeof value === "number"
    ? Uint8Array.from([...varint(number << 3), ...varint(value)])
    : Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(value.length)]), value]);
}
