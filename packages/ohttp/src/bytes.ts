import { OhttpError } from "./error.ts";

export function checkBytes(name: string, value: unknown): asserts value is Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array`);
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const utf8 = new TextEncoder();

/** Encodes text as UTF-8. */
export function textBytes(text: string): Uint8Array<ArrayBuffer> {
  return utf8.encode(text);
}

/** A number in two bytes, the most significant first. */
export function uint16(value: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(value >> 8, value & 0xff);
}

export function uint16At(bytes: Uint8Array, index: number): number {
  return (bytes[index]! << 8) | bytes[index + 1]!;
}

/** A variable-length integer (RFC 9000 §16), in as few bytes as possible. */
export function varint(value: number): Uint8Array<ArrayBuffer> {
  if (value < 2 ** 6) return Uint8Array.of(value);
  if (value < 2 ** 14) return Uint8Array.of(0x40 | (value >> 8), value & 0xff);
  const bytes = new Uint8Array(value < 2 ** 30 ? 4 : 8);
  let rest = value;
  for (let i = bytes.length - 1; i >= 0; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[0]! |= value < 2 ** 30 ? 0x80 : 0xc0;
  return bytes;
}

/** Reads a message from its beginning to its end. Reading beyond the end throws `truncated`. */
export interface ByteReader {
  /** The next bytes. The bytes share the memory of the message. */
  readonly take: (length: number) => Uint8Array;
  /** The next variable-length integer. */
  readonly number: () => number;
  /** The next bytes, which follow their length. */
  readonly lengthAndBytes: () => Uint8Array;
  /** Whether nothing is left. */
  readonly isAtEnd: () => boolean;
  /** All remaining bytes. */
  readonly rest: () => Uint8Array;
}

export function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0;

  function take(length: number): Uint8Array {
    if (length > bytes.length - at) throw new OhttpError("truncated");
    at += length;
    return bytes.subarray(at - length, at);
  }

  function number(): number {
    const [first] = take(1);
    const more = take((1 << (first! >> 6)) - 1);
    let value = first! & 0x3f;
    for (const byte of more) value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) throw new OhttpError("number-unsafe");
    return value;
  }

  return {
    take,
    number,
    lengthAndBytes: () => take(number()),
    isAtEnd: () => at === bytes.length,
    rest: () => take(bytes.length - at),
  };
}
