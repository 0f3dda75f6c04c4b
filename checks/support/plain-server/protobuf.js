export function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

export const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);

export function fixed64(field, value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((field << 3) | 1), bytes]);
}

export function bytesField(field, value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

export const message = (field, parts) => bytesField(field, Buffer.concat(parts));

/** Reads varints from bytes, one after the other. */
function varintReader(bytes) {
  let at = 0;
  return {
    isAtEnd: () => at >= bytes.length,
    next() {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++];
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) return value;
      }
    },
    take(length) {
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

/** Each field of a message as `[number, value]`: a bigint, or a Buffer. */
export function fieldsOf(bytes) {
  const reader = varintReader(bytes);
  const fields = [];
  while (!reader.isAtEnd()) {
    const tag = Number(reader.next());
    if ((tag & 7) === 0) fields.push([tag >> 3, reader.next()]);
    else if ((tag & 7) === 2) fields.push([tag >> 3, reader.take(Number(reader.next()))]);
    else throw new Error(`a field of wire type ${tag & 7}`);
  }
  return fields;
}

export const all = (fields, number) =>
  fields.filter(([n]) => n === number).map(([, value]) => value);
export const first = (fields, number) => all(fields, number)[0];

/** The values of a repeated enumeration or integer, packed or not. */
export function integers(fields, number) {
  return all(fields, number).flatMap((value) => {
    if (typeof value === "bigint") return [Number(value)];
    const reader = varintReader(value);
    const values = [];
    while (!reader.isAtEnd()) values.push(Number(reader.next()));
    return values;
  });
}

export const duration = (milliseconds) => [
  number(1, Math.floor(milliseconds / 1000)),
  number(2, (milliseconds % 1000) * 1e6),
];
