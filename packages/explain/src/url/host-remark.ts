import type { CanonicalUrl } from "@x/canon";
import type { RegistrableDomain } from "@x/expressions";
import { leadingHost } from "./leading-host.ts";
import { shownHost } from "./shown-host.ts";

/** Functions that tell whose site a host is. */
export interface SiteOptions {
  /** Returns the registrable domain of a host, by the Public Suffix List. */
  readonly registrableDomain?: RegistrableDomain | undefined;
  /**
   * Returns the domain of a service below which anyone can publish, such as `github.io` for `a.github.io`; `null` for
   * other hosts. Such a domain is the registrable domain by the Public Suffix List without its private section, if that
   * differs.
   */
  readonly sharedDomain?: RegistrableDomain | undefined;
}

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

/** Hosts of well-known services whose links lead to other sites. */
const SHORTENERS: ReadonlySet<string> = new Set(
  "bit.ly,buff.ly,cutt.ly,goo.gl,is.gd,lnkd.in,ow.ly,rebrand.ly,t.co,tiny.cc,tinyurl.com".split(
    ",",
  ),
);

/** Whether a URL is a link of a shortener, and not its own start page. */
export function isShortLink({ host, path }: Pick<CanonicalUrl, "host" | "path">): boolean {
  return SHORTENERS.has(host) && path !== "/";
}

/** The domain that shows whose site a host is: usually the registrable domain. `null` if that is not known. */
export function siteOf(host: string, options: SiteOptions): string | null {
  const site = options.registrableDomain?.(host) ?? null;
  const shared = options.sharedDomain?.(host) ?? null;
  if (site === null || shared === null || leadingHost(host, site) !== null) return site;
  // In `www.good.example.com.s3.amazonaws.com`, the label before the service is a part of another name.
  return leadingHost(host, shared) === null ? site : shared;
}

/**
 * Returns what people should know about the host of a URL before they trust its name; `null` for most hosts. A remark
 * alone makes no URL dangerous: content delivery networks begin hosts with other names, too.
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
  const page = shared && `page at ${shownHost(shared)}, where anyone can publish.`;
  if (leading === null) return { code: "shared", message: `A ${page}` };
  const is = page === null ? `opens a site of ${shownHost(site)}.` : `is a ${page}`;
  return { code: "leading-name", message: `Begins like ${shownHost(leading)}, but ${is}` };
}
