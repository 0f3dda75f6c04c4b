import dns from "node:dns";
import ipaddr from "ipaddr.js";

/** The IPv6 addresses that are routed on the Internet (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv4 addresses behind an IPv6 translator (RFC 6052 §2.1). */
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Addresses from public ranges at which a cloud answers only its own guests, for example about their configuration. All
 * other published addresses of this kind are in ranges that are not public: 169.254.0.0/16 (most clouds), 100.64.0.0/10
 * (Alibaba Cloud), 192.0.0.0/24 and fd00::/8 (Oracle, AWS, Google and Scaleway).
 *
 * | range         | owner and source                                                                          |
 * | ------------- | ----------------------------------------------------------------------------------------- |
 * | 168.63.129.16 | Azure: learn.microsoft.com, "What is IP address 168.63.129.16?"                           |
 * | 161.26.0.0/16 | IBM Cloud: cloud.ibm.com/docs/vpc, "Endpoints available", "IaaS endpoints" (November 2026) |
 * | 166.8.0.0/14  | IBM Cloud: the same page, "Service endpoints"                                             |
 */
const ONLY_FOR_GUESTS = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * Whether an IP address is public: not loopback, private, multicast or reserved, and not an address at which a cloud
 * answers only its guests. `false` if it is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` turns an IPv4-mapped address into the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") {
    return parsed.range() === "unicast" && !ONLY_FOR_GUESTS.some((range) => parsed.match(range));
  }
  if (parsed.match(TRANSLATED)) {
    return isPublicAddress(parsed.toByteArray().slice(-4).join("."));
  }
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast";
}

/** Whether an address can be reached only from this machine. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** An address of a host; `family` is 4 or 6. */
interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** The signature of `lookup` of `node:dns`. Its own type needs the types of Node.js, which programs may not have. */
export type HostLookup = (
  host: string,
  options: { readonly all?: boolean | undefined },
  done: (error: Error | null, address: string | HostAddress[], family?: number) => void,
) => void;

/** Decides which addresses of hosts may be used. */
interface AddressRule {
  /** Whether connections to this address of the host are allowed. */
  readonly isAllowed: (host: string, address: string) => boolean;
  /** The error when none of the addresses of a host is allowed. `address` is the first of them. */
  readonly refuse: (host: string, address: string) => Error;
}

/**
 * Returns a lookup that yields only allowed addresses. Connections are made to these addresses, so a host cannot switch
 * to another address after the check.
 *
 * The lookup is never called for a host that is an IP address: Node.js connects to it directly.
 *
 * @param lookup the lookup to filter. The default is `lookup` of `node:dns`.
 */
export function checkedLookup(
  { isAllowed, refuse }: AddressRule,
  lookup: HostLookup = dns.lookup,
): HostLookup {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses, family) => {
      if (error !== null) return done(error, "");
      const found: readonly HostAddress[] =
        typeof addresses === "string" ? [{ address: addresses, family: family ?? 0 }] : addresses;
      const allowed = found.filter(({ address }) => isAllowed(host, address));
      const [first] = allowed;
      if (first === undefined) return done(refuse(host, found[0]?.address ?? ""), "");
      if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}
