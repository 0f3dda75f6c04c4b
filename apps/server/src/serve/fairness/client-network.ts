import { isIPv4, isIPv6 } from "node:net";

/** `::ffff:192.0.2.1`, however its zeros are written. */
const MAPPED_IPV4 =
  /^(?:::|(?:0{1,4}:){5})ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;
const WITH_PORT = /^(?:\[(.*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** How many characters are kept of a text that is not an address. */
const MAX_NAME_LENGTH = 64;
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** The IPv4 address in an IPv6 address; `null` when there is none. */
function mappedIpv4(address: string): string | null {
  const [, dotted, high = "", low = ""] = MAPPED_IPV4.exec(address) ?? [];
  if (dotted !== undefined || high === "") return dotted ?? null;
  const bytes = [high, low].flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
  return bytes.join(".");
}

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since one subscriber has all of its
 * addresses.
 */
export function networkOf(address: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  const [plain = ""] = (inBrackets ?? beforePort ?? address).split("%", 1);
  const ipv4 = mappedIpv4(plain) ?? plain;
  if (isIPv4(ipv4)) return ipv4;
  if (!isIPv6(plain)) return plain.slice(0, MAX_NAME_LENGTH);
  const [before = "", after] = plain.split("::");
  const groups = before === "" ? [] : before.split(":");
  if (after !== undefined) {
    const last = after === "" ? 0 : after.split(":").length + (after.includes(".") ? 1 : 0);
    while (groups.length < GROUPS - last && groups.length < NETWORK_GROUPS) groups.push("0");
    groups.push(...after.split(":"));
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16) || 0);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
