import { DELETE, hexValue, NUMBER_SIGN, PERCENT, SPACE } from "../ascii.ts";
import { fromCodes } from "../utf8.ts";

/**
 * Decodes percent escapes until there are none left.
 *
 * One scan from left to right gives the result of repeated passes in linear time: whenever the output ends
 * in an escape, the escape is replaced by its byte, which may in turn end another escape. Escapes cannot
 * overlap (`%` is not a hexadecimal digit), so the order in which they are decoded makes no difference.
 */
export function unescapeRepeatedly(bytes: string): string {
  if (!bytes.includes("%")) return bytes;
  const written = new Uint16Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    written[length++] = bytes.charCodeAt(i);
    while (length >= 3 && written[length - 3] === PERCENT) {
      const high = hexValue(written[length - 2]!);
      const low = hexValue(written[length - 1]!);
      if (high < 0 || low < 0) break;
      length -= 2;
      written[length - 1] = high * 16 + low;
    }
  }
  return fromCodes(written.subarray(0, length));
}

/** Decodes the percent escapes of a text once, as UTF-8; U+FFFD stands for bytes that are not UTF-8. */
export function unescapeText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === PERCENT ? hexValue(bytes[i + 1]!) : -1;
    const low = high < 0 ? -1 : hexValue(bytes[i + 2]!);
    if (low < 0) {
      bytes[length++] = bytes[i]!;
    } else {
      bytes[length++] = high * 16 + low;
      i += 2;
    }
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}

/** Whether a byte must be escaped ("To canonicalize the path", last paragraph). */
export function mustEscape(byte: number): boolean {
  return byte <= SPACE || byte >= DELETE || byte === NUMBER_SIGN || byte === PERCENT;
}

/** Matches a byte for which {@link mustEscape} is true; a character class is the fastest search. */
const HOLDS_ESCAPED = new RegExp(
  `[${Array.from({ length: 256 }, (_, byte) => byte)
    .filter(mustEscape)
    .map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
    .join("")}]`,
);

const UPPER_CASE_DIGITS = "0123456789ABCDEF";

/** Escapes every byte that must be escaped, with upper-case digits. */
export function escapeBytes(bytes: string): string {
  if (!HOLDS_ESCAPED.test(bytes)) return bytes;
  const written = new Uint8Array(3 * bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (mustEscape(byte)) {
      written[length++] = PERCENT;
      written[length++] = UPPER_CASE_DIGITS.charCodeAt(byte >> 4);
      written[length++] = UPPER_CASE_DIGITS.charCodeAt(byte & 15);
    } else {
      written[length++] = byte;
    }
  }
  return fromCodes(written.subarray(0, length));
}
