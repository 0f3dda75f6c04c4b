import type { LookupFunction } from "node:net";
import { localHost } from "@x/canon/local-hosts";
import { checkedLookup, isLoopbackAddress, isPublicAddress } from "@x/links/node";
import { FetchProblem } from "./fetch-problem.ts";

/** What the operator allows, besides the sources themselves. */
export interface Reach {
  /** Hosts to which a source may redirect. */
  readonly redirectsTo: ReadonlySet<string>;
  /** Hosts that may have private addresses. */
  readonly privateHosts: ReadonlySet<string>;
}

/**
 * Looks up the host of a source, and returns only addresses to which a connection may be made. Hosts that are addresses
 * need no check, because the operator named them.
 */
export function sourceLookup({ privateHosts }: Reach): LookupFunction {
  return checkedLookup({
    isAllowed: (host, address) =>
      privateHosts.has(host) ||
      isPublicAddress(address) ||
      (localHost(host) === "device" && isLoopbackAddress(address)),
    refuse: (host, address) =>
      new FetchProblem(
        `was not fetched, because ${host} has the private address ${address}; if that is right, use --allow-private ${host}`,
      ),
  });
}
