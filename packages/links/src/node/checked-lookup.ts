import dns from "node:dns";

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
export interface AddressRule {
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
