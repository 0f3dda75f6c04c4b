import type { SiteOptions } from "@x/explain";
import { getDomain } from "tldts";

/** The domain that somebody registered or, where unrelated people share one, that somebody has below it. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}

/** The domain that unrelated people share below which a host is; `null` for other hosts. */
function sharedDomain(host: string): string | null {
  const registered = getDomain(host);
  const site = registrableDomain(host);
  return site === null || site === registered ? null : registered;
}

/** What tells whose site a host is. */
export const SITES: SiteOptions = { registrableDomain, sharedDomain };
