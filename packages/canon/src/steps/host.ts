import { COLON, DOT, hexValue, isAscii, isDigit, ZERO } from "../ascii.ts";
import { decodeUtf8 } from "../byte-string.ts";
import type { UrlParts } from "./url-parts.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./uts46.ts";

/** The host and port of an authority, which are everything after its last `@`. */
export function dropUserinfo(authority: string): string {
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/**
 * The host of a host and port (RFC 2396 §3.2.2). A port is a colon and any number of digits. Anything else after a
 * colon stays part of the host. `host:1:2` loses both ports.
 */
export function dropPort(hostAndPort: string): string {
  const start = leadingDots(hostAndPort);
  return hostAndPort.slice(0, trimmedEnd(hostAndPort, start, { dots: false }));
}

/**
 * Removes the dots at both ends. A port before the dots, as in `host:80.`, is removed too: without the
 * dots, it would be a port in the canonical URL.
 */
export function trimDots(host: string): string {
  const start = leadingDots(host);
  return host.slice(start, trimmedEnd(host, start, { dots: true }));
}

function leadingDots(text: string): number {
  let i = 0;
  while (text.charCodeAt(i) === DOT) i++;
  return i;
}

/**
 * The index at which the ports at the end of a host start. With `dots`, dots between and after the ports count, too.
 */
function trimmedEnd(text: string, start: number, { dots }: { dots: boolean }): number {
  // After a bracket that is never closed, a colon belongs to something meant as an IPv6 address.
  const ports = text[start] !== "[" || text.includes("]", start);
  let end = text.length;
  for (;;) {
    while (dots && end > start && text.charCodeAt(end - 1) === DOT) end--;
    let colon = end - 1;
    while (isDigit(text.charCodeAt(colon))) colon--;
    if (!ports || text.charCodeAt(colon) !== COLON) return end;
    end = colon;
  }
}

export function collapseDots(host: string): string {
  return host.includes("..") ? host.replace(/\.{2,}/g, ".") : host;
}

/**
 * Converts an internationalized domain name to ASCII by UTS #46. A host keeps its bytes if it is not UTF-8, if UTS #46
 * refuses it or cannot decide it, or if its mapping would contain a delimiter.
 */
export function convertIdn(parts: UrlParts): void {
  const { host } = parts;
  if (isAscii(host)) return;
  // IDNA refuses the extra dots that the next steps remove, although it may accept the canonical form.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null) return;
  const { ascii, problem } = mapHost(name);
  parts.isHostUndecided = problem === "undecided";
  if (ascii !== null && !FORBIDDEN_IN_DOMAIN.test(ascii)) parts.host = ascii;
}

/**
 * Brings a host that can be read as an IP address into its normal form. IPv4 addresses, and IPv6 addresses that contain
 * an IPv4 address, become four decimal numbers. Other IPv6 addresses, on which the specification is silent, are written
 * as RFC 5952 recommends, in brackets. Every other host is a name.
 */
export function normalizeIpAddress(parts: UrlParts): void {
  const { host } = parts;
  let address: number | null;
  if (host.startsWith("[") && host.endsWith("]")) {
    const groups = parseIpv6(host.slice(1, -1));
    if (groups === null) return;
    address = embeddedIpv4(groups);
    if (address === null) {
      parts.host = `[${formatIpv6(groups)}]`;
      parts.hostType = "ipv6";
      return;
    }
  } else {
    address = parseIpv4(host);
    if (address === null) return;
  }
  parts.host = formatIpv4(address);
  parts.hostType = "ipv4";
}

/**
 * The 32 bits of an IPv4 address in any form that `inet_aton` accepts: one to four parts, each decimal, octal
 * (`0…`) or hexadecimal (`0x…`); the last part fills the remaining bytes. Any other host is a name, for which
 * the result is `null`.
 */
export function parseIpv4(host: string): number | null {
  // A fast path, because most top-level domains end in a letter that no address can end in.
  if (hexValue(host.charCodeAt(host.length - 1)) < 0) return null;
  const parts = host.split(".", 5);
  if (parts.length > 4) return null;

  let address = 0;
  for (let i = 0; i < parts.length; i++) {
    const isLast = i === parts.length - 1;
    const room = isLast ? 256 ** (5 - parts.length) : 256;
    const value = parseNumber(parts[i]!, room);
    if (value === null) return null;
    address = address * room + value;
  }
  return address;
}

/** The value of one part of an address, or `null` unless it is a number below `limit`. */
function parseNumber(text: string, limit: number): number | null {
  let radix = 10;
  let start = 0;
  if (text.charCodeAt(0) === ZERO && text.length > 1) {
    radix = text[1] === "x" || text[1] === "X" ? 16 : 8;
    start = radix === 16 ? 2 : 1;
  }
  if (start === text.length) return null;
  let value = 0;
  for (let i = start; i < text.length; i++) {
    const digit = hexValue(text.charCodeAt(i));
    if (digit < 0 || digit >= radix) return null;
    value = value * radix + digit;
    if (value >= limit) return null;
  }
  return value;
}

/** Four decimal numbers with dots between them. */
export function formatIpv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

/**
 * The 32 bits of an IPv4 address in the form that IPv6 addresses allow, four decimal numbers up to 255 (RFC 3986
 * §3.2.2).
 */
function parseDottedDecimal(text: string): number | null {
  const parts = text.split(".", 5);
  if (parts.length !== 4) return null;
  let address = 0;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return null;
    address = address * 256 + Number(part);
  }
  return address;
}

/** Eight groups of 16 bits, most significant first. */
type Ipv6Groups = readonly number[];

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
function embeddedIpv4(groups: Ipv6Groups): number | null {
  const startsWith = (prefix: readonly number[]) => prefix.every((group, i) => groups[i] === group);
  if (!startsWith(IPV4_MAPPED) && !startsWith(NAT64)) return null;
  return groups[6]! * 0x10000 + groups[7]!;
}
