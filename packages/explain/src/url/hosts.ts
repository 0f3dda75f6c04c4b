import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { type LocalHost, localHost } from "@x/canon/local-hosts";
import { decodeLabel, PUNYCODE } from "@x/canon/punycode";
import type { RegistrableDomain } from "@x/expressions";
import { type Imitations, lookAlikesIn } from "@x/links/look-alikes";
import type { UrlExplanation } from "./explain-url.ts";

/** A fact that people should know about a host. */
interface HostRemark {
  /**
   * `"leading-name"`: the host begins with the name of another site. `"shared"`: anyone can publish there.
   * `"shortener"`: the URL leads to another site. `"part-of-name"`: the host has only one label.
   */
  readonly code: "leading-name" | "shared" | "shortener" | "part-of-name";
  readonly message: string;
}

/**
 * Returns a fact about the host of a URL that people should know before they trust its name; `null` for most hosts. The
 * fact alone does not make a URL dangerous: hosts of content delivery networks, too, begin with the names of other
 * sites.
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
  if (isPartOfName(host)) {
    return { code: "part-of-name", message: "No whole name: was the link cut off?" };
  }
  const shared = sharedPlace(host, options);
  const site = siteOf(host, options) ?? host;
  const leading = leadingHost(host, site);
  if (shared === null && leading === null) return null;
  const page = shared && `page at ${shortHost(shared)}, where anyone can publish.`;
  if (leading === null) return { code: "shared", message: `A ${page}` };
  const is = page === null ? `opens a site of ${shortHost(site)}.` : `is a ${page}`;
  return { code: "leading-name", message: `Begins like ${shortHost(leading)}, but ${is}` };
}

/**
 * Says why the verdict on a URL that is not listed is not about the site that it leads to; `null` if it is, or if
 * browsers open nothing.
 */
export function unseenSite(explained: UrlExplanation): string | null {
  const goal = goalOf(explained);
  const isUnseen = explained.listed === false && explained.opened === true && hidesSite(goal);
  return isUnseen ? hostRemark(goal)!.message : null;
}

/** The URL that a browser opens or, if browsers open nothing, the one that the text names. */
export function goalOf(
  explained: UrlExplanation,
): Pick<UrlExplanation, "host" | "hostType" | "path"> {
  const { browser } = explained;
  return browser === null ? explained : (tryParseUrl(browser.canonical) ?? explained);
}

const LOCAL_PLACES: Readonly<Record<LocalHost, string>> = {
  device: "a program on your own device",
  network: "a device in your own network, such as a router",
};

/** Says what opens at a host that no list can know, because it is different for everybody; `null` for other hosts. */
export function localPlace(host: string): string | null {
  const place = localHost(host);
  return place && LOCAL_PLACES[place];
}

/**
 * The name of another site at the start of a host, with a suffix that people know as the end of a name. A suffix that
 * is also a common label inside names, such as `net`, `info` or `de`, counts only after `www.`.
 */
const LEADING =
  /^(?:(?:[a-z\d-]+\.)*(?!www\.)[a-z\d-]+\.(?:(?:com?|net|org|ac|gov|edu|gob|gouv)\.[a-z]{2}(?=\.)|(?:com|org|edu|gov)(?=[.-]))|www\.[a-z\d-]+\.(?:[a-z]{2}|net|info|biz)(?=\.))/;

/**
 * Returns the name of another site at the start of a host, as in `www.good.example.com.evil.example`; `null` if there
 * is none. Hosts of content delivery networks also begin in this way, so a leading name alone is not a disguise.
 */
function leadingHost(host: string, site: string): string | null {
  // In `good.com-login.example`, people read the first label of the site as part of the leading name.
  const [first] = site.split(".", 1) as [string];
  const start = host.length - site.length;
  const leading = LEADING.exec(host.slice(0, start + first.length))?.[0] ?? null;
  return leading === null || `.${leading}`.endsWith(`.${site}`) ? null : leading;
}

/** Hosts of well-known services whose links lead to other sites. */
const SHORTENERS: ReadonlySet<string> = new Set(
  "bit.ly,buff.ly,cutt.ly,goo.gl,is.gd,lnkd.in,ow.ly,rebrand.ly,t.co,tiny.cc,tinyurl.com".split(
    ",",
  ),
);

/** Hosts of services that show what anyone has written there, below one host for all. */
const PUBLISHERS: ReadonlySet<string> = new Set(
  "docs.google.com,drive.google.com,forms.gle,forms.office.com,onedrive.live.com,sites.google.com".split(
    ",",
  ),
);

/** The domain or the host at which anyone can publish, for a host there; otherwise `null`. */
export function sharedPlace(host: string, { sharedDomain }: SiteOptions): string | null {
  return PUBLISHERS.has(host) ? host : (sharedDomain?.(host) ?? null);
}

/** How a shortener shows where a link leads. */
const PREVIEWS: ReadonlyMap<string, string> = new Map([
  ["bit.ly", "+"],
  ["is.gd", "-"],
]);

/** Says how to see where a short link leads; `null` if its service does not tell. */
export function previewAdvice(host: string): string | null {
  const sign = PREVIEWS.get(host);
  return sign === undefined ? null : `Add ${sign} to the link to see where it leads.`;
}

/** Whether a host has only one label. Such a name opens no site outside the user's own network. */
export function isPartOfName(host: string): boolean {
  return !/[.:]/.test(host) && localHost(host) === null;
}

/** Whether nobody can tell which site a URL leads to: its host is a link shortener, or only a part of a name. */
export function hidesSite(url: Pick<CanonicalUrl, "host" | "path">): boolean {
  return isShortLink(url) || isPartOfName(url.host);
}

/** Whether a URL is a short link, rather than the start page of a shortener. */
export function isShortLink({ host, path }: Pick<CanonicalUrl, "host" | "path">): boolean {
  return SHORTENERS.has(host) && path !== "/";
}

/** Functions that tell whose site a host is, and which site it imitates. */
export interface SiteOptions {
  /** Returns the registrable domain of a host, by the Public Suffix List. */
  readonly registrableDomain?: RegistrableDomain | undefined;
  /**
   * Returns the domain of a service below which anyone can publish, such as `github.io` for `a.github.io`; `null` for
   * other hosts. With the Public Suffix List, this is the registrable domain by the ICANN section, if the private
   * section gives another one.
   */
  readonly sharedDomain?: RegistrableDomain | undefined;
  /** Finds imitations of well-known sites: the result of `imitations` of `@x/links/look-alikes`. */
  readonly imitations?: Imitations | undefined;
}

/** The domain that shows whose site a host is, which is usually the registrable domain; `null` if that is not known. */
export function siteOf(host: string, options: SiteOptions): string | null {
  const site = options.registrableDomain?.(host) ?? null;
  const shared = options.sharedDomain?.(host) ?? null;
  if (site === null || shared === null || leadingHost(host, site) !== null) return site;
  // In `www.good.example.com.s3.amazonaws.com`, the label before the service is a part of another name.
  return leadingHost(host, shared) === null ? site : shared;
}

const LONGEST_HOST = 60;

/**
 * Shortens a host for display. If it has more than 60 characters, only the last 60 are kept, after `…`, because the end
 * of a host shows whose site it is.
 */
export function shortHost(host: string): string {
  return host.length <= LONGEST_HOST ? host : `…${host.slice(-LONGEST_HOST)}`;
}

/** A longer host would hide whose site it is. */
const LONGEST_IN_SENTENCE = 40;

/** The name of a host for a sentence: of a long host, only the domain that shows whose site it is. */
export function hostInSentence(host: string, options: SiteOptions): string {
  return shortHost((host.length > LONGEST_IN_SENTENCE && siteOf(host, options)) || host);
}

/** Labels in one script, or with common Latin letters that differ clearly from ASCII. */
const PLAIN_LABEL =
  /^(?:[a-z\d-]|[ßàâäåæçèéêëñòôöøùûüÿœ])+$|^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\d-]+$|^(?:[\p{sc=Arab}\d-]+|[\p{sc=Hebr}\d-]+|[\p{sc=Thai}\d-]+|[\p{sc=Hang}\d-]+|[\p{sc=Deva}\d-]+|[\p{sc=Geor}\d-]+|[\p{sc=Cyrl}\d-]+|[\p{sc=Grek}\d-]+)$/u;

/**
 * A canonical host in its own letters; `null` for a host in ASCII, and if people could mistake its letters for others.
 */
export function unicodeHost(host: string): string | null {
  if (!host.includes(PUNYCODE) || lookAlikesIn(host) !== null) return null;
  const labels = host.split(".").map(decodeLabel);
  return labels.every((label) => label !== null && PLAIN_LABEL.test(label))
    ? labels.join(".")
    : null;
}
