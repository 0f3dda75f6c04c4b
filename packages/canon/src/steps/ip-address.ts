import { formatIpv4, parseIpv4 } from "./ipv4.ts";
import { embeddedIpv4, formatIpv6, parseIpv6 } from "./ipv6.ts";
import type { UrlParts } from "./url-parts.ts";

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
