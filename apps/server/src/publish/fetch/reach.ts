import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isSameServer } from "@x/list-store/transport";
import { FetchProblem } from "./fetch-problem.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
import { shownUrl } from "./source-url.ts";

/** What the operator allows, besides the sources themselves. */
export interface Reach {
  /** Hosts to which a source may redirect. */
  readonly redirectsTo: ReadonlySet<string>;
  /** Hosts that may have private addresses. */
  readonly privateHosts: ReadonlySet<string>;
}

/** How many characters are shown of a URL to which a server redirects. */
const MAX_SHOWN = 200;

const isLocal = (host: string) => host === "localhost" || host.endsWith(".localhost");

/** Throws unless a redirect may be followed. */
export function checkRedirect(named: URL, from: URL, to: URL, { redirectsTo }: Reach): void {
  const shown = shownUrl(to).slice(0, MAX_SHOWN);
  const refuse = (why: string) => new FetchProblem(`redirects to ${shown}, ${why}`);
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw new FetchProblem(`redirects to ${JSON.stringify(to.protocol)}, which is not fetched`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw refuse("which is not encrypted");
  }
  if (isSameServer(named, to) || redirectsTo.has(to.hostname)) return;
  const what = named.hostname === to.hostname ? "another port" : "another host";
  throw refuse(`${what}; if that is right, use --allow-redirects-to ${to.hostname}`);
}

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
