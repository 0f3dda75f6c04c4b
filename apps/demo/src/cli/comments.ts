import type { Line } from "../lines.ts";

const TAB = 0x09;
const SPACE = 0x20;
const HASH_SIGN = 0x23;

function trimBlanks(octets: Uint8Array): Uint8Array {
  const isBlank = (octet: number | undefined): boolean => octet === SPACE || octet === TAB;
  let start = 0;
  let end = octets.length;
  while (start < end && isBlank(octets[start])) start++;
  while (end > start && isBlank(octets[end - 1])) end--;
  return octets.subarray(start, end);
}

/** The lines of a filter list that say something: without those that start with `#`, and without blanks around. */
export function withoutComments(lines: readonly Line[]): Line[] {
  return lines
    .map((line) => ({ ...line, octets: trimBlanks(line.octets) }))
    .filter(({ octets }) => octets[0] !== HASH_SIGN);
}
