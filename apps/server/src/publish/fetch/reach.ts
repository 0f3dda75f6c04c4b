import type { LookupFunction } from "node:net";
import { checkedLookup, isLoopbackAddress, isPublicAddress } from "@x/links/node";
import { FetchProblem } from "./fetch-problem.ts";

/** What the operator allows, besides the sources themselves. */
export interface Reach {
  /** Hosts to which a source may redirect. */
  readonly redirectsTo: ReadonlySet<string>;
  /** Hosts that may have private addresses. */
  readonly privateHosts: ReadonlySet<string>;
}

const isLocal = (host: string) => host === "localhost" || host.endsWith(".localhost");

/**
 * Looks up the host of a source, and returns only addresses to which a connection may be made. Hosts that are addresses
 * need no check, because the operator named them.
 */
export function sourceLookup({ privateHosts }: Reach): LookupFunction {
  return checkedLookup({
    isAllowed: (host, address) =>
      privateHosts.has(host) ||
      isPublicAddress(address) ||
      (isLocal(host) && isLoopbackAddress(address)),
    refuse: (host, address) =>
      new FetchProblem(
        `was not fetched, because ${host} has the private address ${address}; if that is right, use --allow-private ${host}`,
      ),
  });
}
