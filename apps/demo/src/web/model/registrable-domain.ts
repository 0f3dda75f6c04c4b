import { getDomain } from "tldts";

/** The domain that somebody registered or, where unrelated people share one, that somebody has below it. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}
