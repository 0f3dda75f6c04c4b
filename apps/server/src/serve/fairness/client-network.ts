import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

const WITH_PORT = /^(?:\[(.*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** A client address that cannot be parsed is cut to this many characters. */
const MAX_NAME_LENGTH = 64;
const NETWORK_GROUPS = 4;

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because one subscriber usually
 * has a whole /64.
 */
export function networkOf(address: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  const [plain = ""] = (inBrackets ?? beforePort ?? address).split("%", 1);
  // A dual-stack socket reports IPv4 addresses with the prefix `::ffff:`. Removing the prefix is faster than parsing.
  const ipv4 = plain.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(ipv4)) return ipv4;
  if (!isIPv6(plain)) return plain.slice(0, MAX_NAME_LENGTH);
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
