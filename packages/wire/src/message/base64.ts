import { base64Encode } from "@bufbuild/protobuf/wire";
import { WireError } from "../error.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const EQUALS = 0x3d;

/** The value of each digit in either alphabet by its character code; -1 for other characters. */
const VALUES = new Int8Array(0x80).fill(-1);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;
VALUES[0x2d] = DIGITS.indexOf("+");
VALUES[0x5f] = DIGITS.indexOf("/");

/** Decodes base64 in either alphabet, with or without padding. */
export function fromBase64(text: string, path: string): Uint8Array {
  let digits = text.length;
  while (digits > text.length - 2 && text.charCodeAt(digits - 1) === EQUALS) digits--;
  const isPadded = digits !== text.length;
  if (digits % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    throw new WireError("base64-malformed", path);
  }
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  let bits = 0;
  let count = 0;
  for (let i = 0; i < digits; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? -1;
    if (value < 0) throw new WireError("base64-malformed", path);
    bits = (bits << 6) | value;
    if (i % 4 > 0) bytes[count++] = bits >> (6 - 2 * (i % 4));
  }
  return bytes;
}

/** Encodes in the standard alphabet, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return base64Encode(bytes, "std");
}

/** Encodes in the alphabet for URLs, with padding, as browsers do. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}
