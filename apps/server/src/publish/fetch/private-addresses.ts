import type { LookupFunction } from "node:net";
import { localHost } from "@x/canon/local-hosts";
import { checkedLookup, isLoopbackAddress, isPublicAddress } from "@x/links/node";
import { FetchProblem } from "./fetch-problem.ts";

/**
 * Returns a DNS look-up that refuses private addresses, except those of hosts that the operator allows and the loopback
 * address of `localhost`. URLs with an IP address need no check, because the operator named the address.
 */
export function sourceLookup(privateHosts: ReadonlySet<string>): LookupFunction {
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
