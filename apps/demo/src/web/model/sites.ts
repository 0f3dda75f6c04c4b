import type { SiteOptions } from "@x/explain";
import { getDomain } from "tldts";

/** The domain that somebody registered or, where unrelated people share one, that somebody has below it. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}

/** Content delivery networks. Only their customers have hosts there, which begin with names of their own sites. */
const NETWORKS: ReadonlySet<string> = new Set(
  "akamaiedge.net,akamaihd.net,akamaized.net,azureedge.net,cloudflare.net,edgekey.net,edgesuite.net".split(
    ",",
  ),
);

/** The domain that unrelated people share below which a host is; `null` for other hosts. */
function sharedDomain(host: string): string | null {
  const registered = getDomain(host);
  const site = registrableDomain(host);
  const isShared = site !== null && registered !== null && site !== registered;
  return isShared && !NETWORKS.has(registered) ? registered : null;
}

/** What tells whose site a host is. */
export const SITES: SiteOptions = { registrableDomain, sharedDomain };
