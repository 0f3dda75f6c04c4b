import { formatIpv4, parseIpv4 } from "./ipv4.ts";
import { embeddedIpv4, formatIpv6, parseIpv6 } from "./ipv6.ts";

/** Whether a host is a name or an address, and of which family. */
export type HostType = "domain" | "ipv4" | "ipv6";

/**
 * Brings a host that can be read as an IP address into its normal form: four decimal numbers for IPv4,
 * and for IPv6 addresses that contain an IPv4 address; RFC 5952 in brackets for other IPv6 addresses, on
 * which the specification is silent. Every other host is a name.
 */
export function normalizeIpAddress(host: string): { host: string; hostType: HostType } {
  if (host.startsWith("[") && host.endsWith("]")) {
    const groups = parseIpv6(host.slice(1, -1));
    if (groups === null) return { host, hostType: "domain" };
    const address = embeddedIpv4(groups);
    if (address === null) return { host: `[${formatIpv6(groups)}]`, hostType: "ipv6" };
    return { host: formatIpv4(address), hostType: "ipv4" };
  }
  const address = parseIpv4(host);
  if (address === null) return { host, hostType: "domain" };
  return { host: formatIpv4(address), hostType: "ipv4" };
}
