import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { FetchProblem } from "./fetch-problem.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

/** What the operator allows, besides the sources themselves. */
export interface Reach {
  /** Hosts to which a source may redirect. */
  readonly redirectsTo: ReadonlySet<string>;
  /** Hosts that may have private addresses. */
  readonly privateHosts: ReadonlySet<string>;
}

const isLocal = (host: string) => host === "localhost" || host.endsWith(".localhost");

/**
 * Looks up a host, and returns only addresses to which a connection may be made. Connections are made to these
 * addresses, so that a host cannot switch to another address after the check.
 *
 * Hosts that are addresses are never looked up. They need no check, because the operator named them.
 */
export function checkedLookup({ privateHosts }: Reach): LookupFunction {
  return (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, "");
      const isAllowed = ({ address }: LookupAddress) =>
        privateHosts.has(host) ||
        isPublicAddress(address) ||
        (isLocal(host) && isLoopbackAddress(address));
      const allowed = found.filter(isAllowed);
      const [first] = allowed;
      if (first === undefined) {
        const problem = `was not fetched, because ${host} has the private address ${found[0]?.address}; if that is right, use --allow-private ${host}`;
        return done(new FetchProblem(problem), "");
      }
      if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}
