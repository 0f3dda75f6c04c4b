import type { SiteOptions } from "@x/explain";
import { type Imitations, imitations } from "@x/links/look-alikes";
import { getDomain } from "tldts";

/** The registrable domain of a host, by the Public Suffix List with its private section. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}

/** Domains of content delivery networks. The hosts below them begin with the names of the customers' own sites. */
const NETWORKS: ReadonlySet<string> = new Set(
  "akamaiedge.net,akamaihd.net,akamaized.net,azureedge.net,cloudflare.net,edgekey.net,edgesuite.net".split(
    ",",
  ),
);

/** The domain above a host if unrelated people share that domain; otherwise `null`. */
function sharedDomain(host: string): string | null {
  const registered = getDomain(host);
  const site = registrableDomain(host);
  const isShared = site !== null && registered !== null && site !== registered;
  return isShared && !NETWORKS.has(registered) ? registered : null;
}

/** Finds the well-known sites that hosts imitate. */
export const IMITATIONS: Imitations = imitations({ registrableDomain });

/** The functions that tell whose site a host is, and which site it imitates. */
export const SITES: SiteOptions = { registrableDomain, sharedDomain, imitations: IMITATIONS };
