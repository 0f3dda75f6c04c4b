import type { CanonicalUrl } from "@x/canon";

/** Hosts of well-known services whose links lead to other sites. */
const SHORTENERS: ReadonlySet<string> = new Set(
  "bit.ly,buff.ly,cutt.ly,goo.gl,is.gd,lnkd.in,ow.ly,rebrand.ly,t.co,tiny.cc,tinyurl.com".split(
    ",",
  ),
);

/** Whether a URL is a short link, rather than the start page of a shortener. */
export function isShortLink({ host, path }: Pick<CanonicalUrl, "host" | "path">): boolean {
  return SHORTENERS.has(host) && path !== "/";
}
