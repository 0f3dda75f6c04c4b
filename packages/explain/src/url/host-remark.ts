import type { CanonicalUrl } from "@x/canon";
import { leadingHost } from "./leading-host.ts";
import { isShortLink } from "./link-shorteners.ts";
import { shortHost } from "./shorten-host.ts";
import { type SiteOptions, siteOf } from "./site-of-host.ts";

/** A fact that people should know about a host. */
export interface HostRemark {
  /**
   * `"leading-name"`: the host begins with the name of another site. `"shared"`: anyone can publish there.
   * `"shortener"`: the URL leads to another site.
   */
  readonly code: "leading-name" | "shared" | "shortener";
  /** The remark in one sentence. */
  readonly message: string;
}

/**
 * Returns a fact about the host of a URL that people should know before they trust its name; `null` for most hosts. The
 * fact alone does not make a URL dangerous: hosts of content delivery networks, too, begin with the names of other
 * sites.
 *
 * @param url a canonical URL: its `host` and its `path`.
 * @example
 * ```ts
 * import { parseUrl } from "@x/canon";
 * import { hostRemark } from "@x/explain";
 *
 * const registrableDomain = () => "evil.example";
 * const url = parseUrl("https://www.paypal.com.evil.example/a");
 * hostRemark(url, { registrableDomain })?.message; // → "Begins like www.paypal.com, but opens a site of evil.example."
 * hostRemark(parseUrl("https://bit.ly/a"))?.code; // → "shortener"
 * ```
 */
export function hostRemark(
  url: Pick<CanonicalUrl, "host" | "path">,
  options: SiteOptions = {},
): HostRemark | null {
  const { host } = url;
  if (isShortLink(url)) {
    const message = "A link shortener: the site that it leads to was not checked.";
    return { code: "shortener", message };
  }
  const shared = options.sharedDomain?.(host) ?? null;
  const site = siteOf(host, options) ?? host;
  const leading = leadingHost(host, site);
  if (shared === null && leading === null) return null;
  const page = shared && `page at ${shortHost(shared)}, where anyone can publish.`;
  if (leading === null) return { code: "shared", message: `A ${page}` };
  const is = page === null ? `opens a site of ${shortHost(site)}.` : `is a ${page}`;
  return { code: "leading-name", message: `Begins like ${shortHost(leading)}, but ${is}` };
}
