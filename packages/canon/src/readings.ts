import { findBrowserHref } from "./browser-href.ts";
import { textOf } from "./byte-string.ts";
import { type CanonicalUrl, runSteps, tryParseUrl } from "./canonicalize.ts";
import { CanonError, type UrlProblem } from "./error.ts";
import { hasDefangedScheme, hasSeveralColons, isOtherText, isPossibleName } from "./not-a-url.ts";

export type { UrlProblem } from "./error.ts";

/** The readings of a URL to return, either both or only that of the specification. */
export type ReadingChoice = "both" | "specification";

/** The readings of one input, by the specification and by browsers. */
export interface UrlReadings {
  /** The canonical URL according to the specification, or `null` if the specification refuses the input. */
  readonly specification: CanonicalUrl | null;
  /**
   * The canonical form of the URL that browsers open, or `null` if they open none, or if their reading was not
   * requested. If both readings have the same host, path and query, `browser` is the same object as `specification`.
   */
  readonly browser: CanonicalUrl | null;
  /**
   * The canonical form of the URL that Firefox opens if the input is a link on a page, if other browsers open another
   * URL. Usually `null`. Firefox resolves dot segments in the query of `//evil.example?a=/b/../c`, and before the host
   * of `http:\\\good.example/../evil.example/`.
   */
  readonly firefox: CanonicalUrl | null;
  /** The URL that browsers open, in their own spelling, without user name and password. */
  readonly opens: string | null;
  /** The reason why the specification refuses the input, or `null` if it does not. */
  readonly refused: UrlProblem | null;
  /**
   * Why the readings are not enough for a verdict: there are none; a host cannot be decided (`host-undecided`); no
   * site can have the host, because it cannot be a name in DNS (`host-invalid`), as in `http://evil.example"/`; or the
   * text is probably not one URL (`url-unclear`), but several, or has a tab inside or other text before it, as in
   * `_http://evil.example_`, or is a hash, or has a defanged scheme, as in `hxxp://evil.example`. An input with a
   * problem is listed if one of its readings is listed. Any other input with a problem is an error, and must not count
   * as "not listed". `host-invalid` and `url-unclear` are not reported if only the specification's reading was
   * requested: the specification accepts such texts.
   */
  readonly problem: UrlProblem | null;
}

const HOST_UNDECIDED: UrlProblem = Object.freeze({ code: "host-undecided", index: null });
const URL_UNCLEAR: UrlProblem = Object.freeze({ code: "url-unclear", index: null });
const HOST_INVALID: UrlProblem = Object.freeze({ code: "host-invalid", index: null });

/**
 * Both readings of a URL, given as text or as bytes: that of the specification and that of browsers. A URL is on a list
 * if either reading is. A URL is on a list of safe sites only if both readings are.
 *
 * @param readings `"specification"` leaves out the reading of browsers.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { readUrl } from "@x/canon/readings";
 *
 * const { specification, browser, opens } = readUrl("http://evil.example\\@good.example/");
 * specification?.host; // → "good.example"
 * browser?.host; // → "evil.example"
 * opens; // → "http://evil.example/@good.example/"
 *
 * const same = readUrl("EVIL.example");
 * same.browser === same.specification; // → true
 * readUrl("http://ev\u{2065}il.example/").problem?.code; // → "host-undecided"
 * readUrl("http://evil.example\"/").problem?.code; // → "host-invalid"
 * readUrl("_http://evil.example_").problem?.code; // → "url-unclear"
 * readUrl("mailto:x").problem?.code; // → "authority-missing"
 * ```
 */
export function readUrl(url: string | Uint8Array, readings: ReadingChoice = "both"): UrlReadings {
  const { canonical: specification, problem: refused, isHostUndecided } = runSteps(url);
  if (readings === "specification") {
    const problem = isHostUndecided ? HOST_UNDECIDED : refused;
    return { specification, browser: null, firefox: null, opens: null, refused, problem };
  }
  if (specification !== null && isPlainText(url, specification)) {
    const { href } = specification;
    const browser = specification;
    return { specification, browser, firefox: null, opens: href, refused, problem: null };
  }
  const { href, firefoxLink, isUndecided } = findBrowserHref(url);
  const browser = href === null ? null : readHref(href, specification);
  const firefox = firefoxLink === null || browser === null ? null : readHref(firefoxLink, browser);
  let problem: UrlProblem | null = null;
  const opened = browser ?? specification;
  if (isHostUndecided || isUndecided) problem = HOST_UNDECIDED;
  else if (opened === null) problem = refused;
  else if (opened.hostType === "domain" && !isPossibleName(opened.host)) problem = HOST_INVALID;
  else if (browser === null && hasSeveralColons(textOf(url))) problem = HOST_INVALID;
  else if (isOtherText(textOf(url))) problem = URL_UNCLEAR;
  else if (browser === null && hasDefangedScheme(textOf(url))) problem = URL_UNCLEAR;
  return {
    specification,
    browser,
    firefox: firefox === browser ? null : firefox,
    opens: browser === null ? null : href,
    refused,
    problem,
  };
}

/**
 * Longer URLs do not take the shortcut: to match them, the engine needs memory for each label, and throws when it runs
 * out.
 */
const MAX_PLAIN_LENGTH = 2048;
/** Longer hosts do not take the shortcut either, because they may have labels of more than 63 characters. */
const MAX_PLAIN_HOST_LENGTH = 63;

/**
 * Matches a canonical URL of simple characters. No browser reads its host as an address, its top-level domain is not an
 * IDN, and it does not begin with a bullet.
 */
const PLAIN =
  /^http:\/\/(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?!xn--|https?\/|hxxps?\/)[a-z](?:[a-z0-9-]*[a-z0-9])?\/[\w.~/?=&-]*$/;

/**
 * Whether the input is the canonical URL without its scheme, and perhaps without its last slash. The test is a shortcut
 * for URLs without a scheme, such as plain hosts.
 */
function isPlainText(url: string | Uint8Array, { href, host }: CanonicalUrl): boolean {
  if (typeof url !== "string" || url.length > MAX_PLAIN_LENGTH) return false;
  if (host.length > MAX_PLAIN_HOST_LENGTH) return false;
  if (!href.startsWith(url, 7) || href.length > 8 + url.length) return false;
  return (href.length === 7 + url.length || href.endsWith("/")) && PLAIN.test(href);
}

/**
 * The canonical form of a URL that a browser opens. The result is the same object as `specification` if both have the
 * same expressions.
 */
function readHref(href: string, specification: CanonicalUrl | null): CanonicalUrl | null {
  if (specification === null) return tryParseUrl(href);
  // A canonical form does not change when it is canonicalized again, so there is usually nothing left to parse.
  if (isWithoutFragment(href, specification.href)) return specification;
  const browser = tryParseUrl(href);
  return browser !== null && areSame(specification, browser) ? specification : browser;
}

/** Whether `href` is `canonical`, perhaps with a fragment, which a canonical form does not have. */
function isWithoutFragment(href: string, canonical: string): boolean {
  return (
    href.startsWith(canonical) &&
    (href.length === canonical.length || href[canonical.length] === "#")
  );
}

/** Whether two URLs have the same expressions. */
function areSame(one: CanonicalUrl, other: CanonicalUrl): boolean {
  return one.host === other.host && one.path === other.path && one.query === other.query;
}

/**
 * Like `parseUrl`, but throws for a host that cannot be decided: with a later version of Unicode, the URL could have
 * different expressions and hashes.
 *
 * @throws `CanonError` with the codes of `parseUrl`, or `host-undecided`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { parseDecidedUrl } from "@x/canon/readings";
 *
 * parseDecidedUrl("http://EVIL.example/").host; // → "evil.example"
 * parseDecidedUrl("http://ev\u{2065}il.example/"); // throws host-undecided
 * ```
 */
export function parseDecidedUrl(url: string | Uint8Array): CanonicalUrl {
  const { specification, problem } = readUrl(url, "specification");
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return specification!;
}
