import { DELETE, hexValue, NUMBER_SIGN, PERCENT, SPACE } from "../ascii.ts";
import { decodeUtf8Leniently, encodeUtf8, fromCodes } from "../byte-string.ts";

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

/** Decodes the percent escapes of a text once, as UTF-8. Bytes that are not UTF-8 become U+FFFD. */
export function unescapeText(text: string): string {
  if (!text.includes("%")) return text.replace(/\p{Surrogate}/gu, "\ufffd");
  const bytes = encodeUtf8(text);
  const written = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    const high = byte === PERCENT ? hexValue(bytes.charCodeAt(i + 1)) : -1;
    const low = high < 0 ? -1 : hexValue(bytes.charCodeAt(i + 2));
    written[length++] = low < 0 ? byte : high * 16 + low;
    if (low >= 0) i += 2;
  }
  return decodeUtf8Leniently(fromCodes(written.subarray(0, length)));
}

/** Whether a byte must be escaped ("To canonicalize the path", last paragraph). */
export function mustEscape(byte: number): boolean {
  return byte <= SPACE || byte >= DELETE || byte === NUMBER_SIGN || byte === PERCENT;
}

/** A set of bytes that are written as percent escapes. */
export interface EscapedBytes {
  /** Matches one of the bytes. A character class is the fastest search. */
  readonly search: RegExp;
  readonly has: (byte: number) => boolean;
}

/** The set of the bytes for which `has` is true. */
export function escapedBytes(has: (byte: number) => boolean): EscapedBytes {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter(has);
  const units = bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return { search: new RegExp(`[${units.join("")}]`), has };
}

const OF_CANONICAL_URL: EscapedBytes = escapedBytes(mustEscape);

const UPPER_CASE_DIGITS = "0123456789ABCDEF";

/**
 * Escapes every byte of a set, with upper-case digits. The default is the set of bytes that a canonical URL cannot
 * contain.
 */
export function escapeBytes(
  bytes: string,
  { search, has }: EscapedBytes = OF_CANONICAL_URL,
): string {
  if (!search.test(bytes)) return bytes;
  const written = new Uint8Array(3 * bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (has(byte)) {
      written[length++] = PERCENT;
      written[length++] = UPPER_CASE_DIGITS.charCodeAt(byte >> 4);
      written[length++] = UPPER_CASE_DIGITS.charCodeAt(byte & 15);
    } else {
      written[length++] = byte;
    }
  }
  return fromCodes(written.subarray(0, length));
}
