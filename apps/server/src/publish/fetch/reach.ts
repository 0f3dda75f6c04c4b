import type { LookupFunction } from "node:net";
import { checkedLookup, isLoopbackAddress, isPublicAddress } from "@x/links/node";
import { FetchProblem } from "./fetch-problem.ts";
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

/**
 * Whether a URL is on the server that the operator named: it has the same origin, or it has the same host with TLS and
 * both use their default ports.
 */
export function isSameServer(named: URL, url: URL): boolean {
  if (url.origin === named.origin) return true;
  return named.port === "" && url.origin === `https://${named.hostname}`;
}

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
