import { WireError } from "../error.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const EQUALS = 0x3d;

const INVALID = 0xff;
/** The value of each base64 digit of both alphabets, by character code; `INVALID` for other characters. */
const VALUES: Uint8Array = new Uint8Array(0x100).fill(INVALID);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;
VALUES[0x2d] = DIGITS.indexOf("+");
VALUES[0x5f] = DIGITS.indexOf("/");

/** The value of a digit; `INVALID` for any other character. */
function valueAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < VALUES.length ? VALUES[code]! : INVALID;
}

/** Decodes base64 in either alphabet, with or without padding. */
export function fromBase64(text: string, path: string): Uint8Array {
  let digits = text.length;
  while (digits > text.length - 2 && text.charCodeAt(digits - 1) === EQUALS) digits--;
  const isPadded = digits !== text.length;
  if (digits % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    throw new WireError("base64-malformed", path);
  }
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  const whole = digits - (digits % 4);
  // The bitwise OR of all values. Only `INVALID` has bits above the lowest six.
  let seen = 0;
  let count = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = valueAt(text, i);
    const b = valueAt(text, i + 1);
    const c = valueAt(text, i + 2);
    const d = valueAt(text, i + 3);
    seen |= a | b | c | d;
    bytes[count++] = (a << 2) | (b >> 4);
    bytes[count++] = (b << 4) | (c >> 2);
    bytes[count++] = (c << 6) | d;
  }
  let bits = 0;
  for (let i = whole; i < digits; i++) {
    const value = valueAt(text, i);
    seen |= value;
    bits = (bits << 6) | value;
    if (i > whole) bytes[count++] = bits >> (6 - 2 * (i % 4));
  }
  if (seen >= DIGITS.length) throw new WireError("base64-malformed", path);
  return bytes;
}

/** The two digits for each 12-bit number. */
const PAIRS: readonly string[] = Array.from(
  { length: 2 ** 12 },
  (_, bits) => DIGITS[bits >> 6]! + DIGITS[bits & 63]!,
);
/** The digits of `PAIRS` as character codes, in the byte order of the machine. */
const PAIR_CODES: Uint16Array = new Uint16Array(PAIRS.length);
new TextEncoder().encodeInto(PAIRS.join(""), new Uint8Array(PAIR_CODES.buffer));

/** Up to this length, concatenating strings is faster than writing character codes and decoding them. */
const SHORT_BYTES = 96;
/** The number of bytes that are encoded at a time: a multiple of 3, because three bytes make four digits. */
const PIECE_BYTES = 3 * 2 ** 14;
const ascii = new TextDecoder();

/** Encodes in the standard alphabet, with padding. */
export function toBase64(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  let text = "";
  if (bytes.length <= SHORT_BYTES) {
    for (let i = 0; i < whole; i += 3) {
      const bits = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
      text += PAIRS[bits >> 12]! + PAIRS[bits & 0xfff]!;
    }
  } else {
    const pairs = new Uint16Array((2 * Math.min(whole, PIECE_BYTES)) / 3);
    const pieces: string[] = [];
    for (let start = 0; start < whole; start += PIECE_BYTES) {
      const end = Math.min(start + PIECE_BYTES, whole);
      let count = 0;
      for (let i = start; i < end; i += 3) {
        const bits = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
        pairs[count++] = PAIR_CODES[bits >> 12]!;
        pairs[count++] = PAIR_CODES[bits & 0xfff]!;
      }
      pieces.push(ascii.decode(pairs.subarray(0, count)));
    }
    text = pieces.join("");
  }
  if (bytes.length - whole === 1) return `${text}${PAIRS[bytes[whole]! << 4]}==`;
  if (bytes.length === whole) return text;
  const bits = (bytes[whole]! << 8) | bytes[whole + 1]!;
  return `${text}${PAIRS[bits >> 4]}${DIGITS[(bits & 15) << 2]}=`;
}

/** Encodes in the URL-safe alphabet, with padding, as browsers do. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}
