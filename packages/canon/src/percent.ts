import { DELETE, hexValue, NUMBER_SIGN, PERCENT, SPACE } from "./ascii.ts";
import { fromCodes } from "./octets.ts";

/**
 * Removes percent-escapes until there are none left.
 *
 * One scan from left to right does what repeated passes do, in linear time: whenever the end of what was
 * written is an escape, it becomes its octet, which may be the end of another. Escapes cannot overlap (a
 * `%` is no hexadecimal digit), so the order in which they are removed makes no difference.
 */
export function unescapeRepeatedly(octets: string): string {
  if (!octets.includes("%")) return octets;
  const written = new Uint16Array(octets.length);
  let length = 0;
  for (let i = 0; i < octets.length; i++) {
    written[length++] = octets.charCodeAt(i);
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

/** Escapes every octet that is at most 32 or at least 127, and `#` and `%`, with upper-case digits. */
export function escapeOctets(octets: string): string {
  if (!/[^!"$&-~]/.test(octets)) return octets;
  const written = new Uint8Array(3 * octets.length);
  let length = 0;
  for (let i = 0; i < octets.length; i++) {
    const octet = octets.charCodeAt(i);
    if (octet <= SPACE || octet >= DELETE || octet === NUMBER_SIGN || octet === PERCENT) {
      written[length++] = PERCENT;
      written[length++] = UPPER_CASE_DIGITS.charCodeAt(octet >> 4);
      written[length++] = UPPER_CASE_DIGITS.charCodeAt(octet & 15);
    } else {
      written[length++] = octet;
    }
  }
  return fromCodes(written.subarray(0, length));
}

const UPPER_CASE_DIGITS = "0123456789ABCDEF";
