import { hexValue, ZERO } from "./ascii.ts";

/**
 * The 32 bits of an IPv4 address in any form that `inet_aton` takes: one to four parts, each decimal,
 * octal (`0…`) or hexadecimal (`0x…`), the last filling the octets that are left. `null` for every other
 * text, which is then a name.
 */
export function parseIpv4(host: string): number | null {
  // Nearly every host ends in a letter of its top-level domain that no address can end in.
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

/** One part of an address, below `limit`. */
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

/** Four dot-separated decimal values. */
export function formatIpv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

/** The strict form that stands inside an IPv6 address: four decimal octets (RFC 3986 §3.2.2). */
export function parseDottedDecimal(text: string): number | null {
  const octets = text.split(".", 5);
  if (octets.length !== 4) return null;
  let address = 0;
  for (const octet of octets) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(octet) || Number(octet) > 255) return null;
    address = address * 256 + Number(octet);
  }
  return address;
}
