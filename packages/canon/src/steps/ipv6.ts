import { parseDottedDecimal } from "./ipv4.ts";

/** Eight groups of 16 bits, most significant first. */
export type Ipv6Groups = readonly number[];

/** `0000:0000:0000:0000:0000:ffff:255.255.255.255` */
const LONGEST_ADDRESS = 45;

/** The address in a text without brackets (RFC 4291 §2.2), or `null` when the text is not an address. */
export function parseIpv6(text: string): Ipv6Groups | null {
  if (text.length > LONGEST_ADDRESS) return null;
  const halves = text.split("::");
  if (halves.length > 2) return null;

  const head = parseGroups(halves[0]!, halves.length === 1);
  if (halves.length === 1) return head?.length === 8 ? head : null;
  const tail = parseGroups(halves[1]!, true);
  if (head === null || tail === null) return null;
  const zeros = 8 - head.length - tail.length;
  return zeros < 1 ? null : [...head, ...new Array<number>(zeros).fill(0), ...tail];
}

/**
 * Reads groups that are joined by `:`. At the end of an address, a dotted IPv4 address may stand for the last two
 * groups.
 */
function parseGroups(text: string, endsAddress: boolean): number[] | null {
  const groups: number[] = [];
  if (text === "") return groups;
  const fields = text.split(":");
  for (const [i, field] of fields.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(field)) {
      groups.push(Number.parseInt(field, 16));
      continue;
    }
    const address = endsAddress && i === fields.length - 1 ? parseDottedDecimal(field) : null;
    if (address === null) return null;
    groups.push(address >>> 16, address & 0xffff);
  }
  return groups;
}

/** The text of an address as RFC 5952 §4 recommends it, without brackets. */
export function formatIpv6(groups: Ipv6Groups): string {
  const run = longestZeroRun(groups);
  const hex = (part: Ipv6Groups) => part.map((group) => group.toString(16)).join(":");
  if (run.length < 2) return hex(groups);
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

/** RFC 5952 §4.2.3: the longest run, or the first of several longest ones. */
function longestZeroRun(groups: Ipv6Groups): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [i, group] of groups.entries()) {
    if (group !== 0) start = i + 1;
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start };
  }
  return best;
}

const IPV4_MAPPED = [0, 0, 0, 0, 0, 0xffff];
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];

/**
 * The IPv4 address inside an IPv4-mapped address (`::ffff:a.b.c.d`, RFC 4291 §2.5.5.2) or one with the well-known
 * prefix of NAT64 (`64:ff9b::a.b.c.d`, RFC 6052 §2.1), or `null` for every other address.
 */
export function embeddedIpv4(groups: Ipv6Groups): number | null {
  const startsWith = (prefix: readonly number[]) => prefix.every((group, i) => groups[i] === group);
  if (!startsWith(IPV4_MAPPED) && !startsWith(NAT64)) return null;
  return groups[6]! * 0x10000 + groups[7]!;
}
