import ipaddr from "ipaddr.js";

/** The IPv6 addresses that are routed on the Internet (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv4 addresses behind an IPv6 translator (RFC 6052 §2.1). */
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Whether an IP address is public: not loopback, private, multicast or reserved. `false` if it is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` turns an IPv4-mapped address into the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast";
  if (parsed.match(TRANSLATED)) {
    return isPublicAddress(parsed.toByteArray().slice(-4).join("."));
  }
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast";
}

/** Whether an address can be reached only from this machine. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
