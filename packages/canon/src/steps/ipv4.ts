import { hexValue, ZERO } from "../ascii.ts";

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
export function parseDottedDecimal(text: string): number | null {
  const parts = text.split(".", 5);
  if (parts.length !== 4) return null;
  let address = 0;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return null;
    address = address * 256 + Number(part);
  }
  return address;
}
