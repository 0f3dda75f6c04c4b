import { hexValue, PERCENT } from "./ascii.ts";
import { mustEscape } from "./must-escape.ts";
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

/** {@link mustEscape} for any octet of an octet string: a class of a regular expression is the fastest search. */
const HOLDS_ESCAPED = new RegExp(
  `[${Array.from({ length: 256 }, (_, octet) => octet)
    .filter(mustEscape)
    .map((octet) => `\\x${octet.toString(16).padStart(2, "0")}`)
    .join("")}]`,
);

/** Escapes with upper-case digits the octets that are to be escaped. */
export function escapeOctets(octets: string): string {
  if (!HOLDS_ESCAPED.test(octets)) return octets;
  const written = new Uint8Array(3 * octets.length);
  let length = 0;
  for (let i = 0; i < octets.length; i++) {
    const octet = octets.charCodeAt(i);
    if (mustEscape(octet)) {
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
