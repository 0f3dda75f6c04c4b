/** `"device"` is the machine itself, and `"network"` is a private network, such as one at home or in a company. */
export type LocalHost = "device" | "network";

/**
 * Matches loopback names and addresses, and `0.0.0.0` and `[::]`, which also lead to the machine itself (RFC 1122,
 * section 3.2.1.3; RFC 4291, section 2.5; RFC 6761, section 6.3).
 */
const DEVICE = /^(?:0\.0\.0\.0|127(?:\.\d+){3}|\[::1?\]|(?:.+\.)?localhost)$/;
/** Addresses of RFC 1122 ("this network"), RFC 1918, RFC 3927, RFC 6598, RFC 4193 and RFC 4291. */
const NETWORK_ADDRESS =
  /^(?:(?:0|10|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d+)+|\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]):.*\])$/;
/** Names of RFC 6762 and RFC 8375, `internal`, which ICANN has reserved, and `localdomain`, which many systems use. */
const NETWORK_NAME = /\.(?:localdomain|local|internal|home\.arpa)$/;

/** The last characters of local hosts. Most other hosts end differently, and skip the expressions above. */
const LAST = "0123456789]alnt";

/**
 * Returns whether a canonical host is the machine itself or in a private network, or `null` for any other host. Names
 * are not looked up, so a public name with a private address is not local.
 */
export function localHost(host: string): LocalHost | null {
  if (!LAST.includes(host.charAt(host.length - 1))) return null;
  if (DEVICE.test(host)) return "device";
  return NETWORK_ADDRESS.test(host) || NETWORK_NAME.test(host) ? "network" : null;
}
