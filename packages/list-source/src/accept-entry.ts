import { type CanonicalUrl, explainCanonicalization } from "@x/canon";
import { isDefanged } from "@x/canon/defanged";
import { readUrl, type UrlReadings } from "@x/canon/readings";
import { type Expression, exactExpression } from "@x/expressions";
import type { EntryKind } from "./formats/format.ts";
import { holdsSeveralEntries, recognizeLine } from "./formats/table.ts";
import type { RefusalCode } from "./problems.ts";
import { setOf, shorten } from "./text.ts";

/** Options for entries that are probably broader than intended. */
export interface BroadOptions {
  /**
   * Returns whether a host is a public suffix or shared by unrelated people, according to the Public Suffix List, like
   * `isPublicSuffix` of `@x/list-source/public-suffixes`. With this function, entries for such hosts get a warning. The
   * function also determines which top-level domains are known.
   */
  readonly isPublicSuffix?: ((host: string) => boolean) | undefined;
  /**
   * Returns whether a host is a suffix of a registry, such as `com` or `co.uk`, like `isRegistrySuffix` of
   * `@x/list-source/public-suffixes`. Entries for such hosts are refused; by default, those for all public suffixes.
   */
  readonly isRegistrySuffix?: ((host: string) => boolean) | undefined;
  /** Whether suffixes of registries, such as `com` or `co.uk`, are accepted; `false` by default. */
  readonly allowBroad?: boolean | undefined;
}

/** Options that decide which hosts are accepted. */
export interface HostOptions extends BroadOptions {
  /** Whether the last label of a canonical host is a top-level domain or, without `isPublicSuffix`, looks like one. */
  readonly endsInTopLevelDomain: (host: string) => boolean;
}

/** Matches text that has only ordinary characters of URLs, which need no further checks. */
const ORDINARY = /^[!$%&'+,\-./0-9:;=?@A-Z_a-z~]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
const SCHEME_AS_HOST = /(?:^|\.)h(?:tt|xx)ps?$/;
const USUAL_SCHEMES: ReadonlySet<string> = new Set(["http", "https"]);
/** Schemes of URLs that lead to no site, even if they have `//` and a name after it. */
const SCHEMES_WITHOUT_SITE: ReadonlySet<string> = setOf(
  "about android-app blob chrome cid data edge filesystem ipfs ipns javascript magnet mailto mid res s3 sms tel urn " +
    "vbscript view-source",
);
/**
 * Matches a text whose host begins with a sign that people put before names: a bullet, an arrow, a quotation mark. IDNA
 * maps some of them to a name that nobody can register. The dots of other scripts are excluded, because IDNA maps them
 * to `.`.
 */
const MARK_BEFORE_HOST =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.|\.)?(?![\0-\x7f\u3002\uff0e\uff61])[\p{P}\p{Sm}\p{Sc}\u2190-\u21ff\u25a0-\u25ff\u2794-\u27be\u2900-\u297f][a-z0-9]/iu;
const DOT = 0x2e;
const NINE = 0x39;
/**
 * The characters of hosts. Letters of other alphabets have already been converted to ASCII. No client resolves a host
 * with any other character.
 */
const IN_HOST: Uint8Array = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyz0123456789-_")
  IN_HOST[character.charCodeAt(0)] = 1;
const NOT_IN_HOST = /[/?#@:%]/;
/** Matches a name that no resolver reads. In a URL, canonicalization removes such dots. */
const EMPTY_LABEL = /^\.|\.\./;
const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
const NUMBER = /^(?:[0-9]+|0x[0-9a-f]*)$/;
const RANGE = /^\/[0-9]{1,3}\/?$/;

/** The URL that `text` stands for, or the reason why it cannot be an entry. */
export function acceptEntry(
  text: string,
  kind: EntryKind,
  { isPublicSuffix, isRegistrySuffix, allowBroad, endsInTopLevelDomain }: HostOptions,
): CanonicalUrl | RefusalCode {
  const isPlain = hasOneReading(text);
  if (!isPlain && !ORDINARY.test(text)) {
    const problem = characterProblem(text, kind);
    if (problem !== null) return problem;
  }
  if (holdsSeveralEntries(text)) return "several-urls";
  if (kind === "host" && NOT_IN_HOST.test(text)) return "host-expected";
  const { specification: url, browser, problem } = readBothWays(text, isPlain);
  if (problem?.code === "host-undecided") return "host-undecided";
  if (url === null) return unparsedProblem(text);
  if (isWithoutSite(url)) return "not-a-url";
  if (!isPlain && isHostCut(text)) return "host-cut";
  if (kind === "host" && EMPTY_LABEL.test(text)) return "host-expected";
  if (url.query === null && url.path.endsWith("/*")) return "wildcard";
  if ((!USUAL_SCHEMES.has(url.scheme) || url.host.includes("__")) && isDefanged(text)) {
    return "defanged";
  }
  const found =
    hostProblem(url) ?? (hasScheme(text) ? null : bareProblem(text, url)) ?? schemeProblem(url);
  if (found !== null && found !== "host-single-label") return found;
  if (browser !== url) return found ?? "readings-differ";
  if (problem !== null) return "host-impossible";
  if (kind === "open-rule" && !endsInTopLevelDomain(url.host)) return "pattern";
  if ((kind === "rule" || kind === "open-rule") && !isLiteral(text, url)) return "pattern";
  const isSuffix = isRegistrySuffix ?? isPublicSuffix;
  if (isSuffix && isWholeHost(url) && isSuffix(url.host)) return allowBroad ? url : "public-suffix";
  return found ?? url;
}

/** Whether the entry of a URL covers a whole host that has a name. */
export function isWholeHost({ hostType, path, query }: CanonicalUrl): boolean {
  return hostType === "domain" && path === "/" && query === null;
}

/**
 * Whether a URL is for an application, as in `tg://resolve?domain=evil`. Such a URL has a command or an identifier in
 * the place of the host.
 */
function isWithoutSite({ scheme, host, hostType }: CanonicalUrl): boolean {
  if (SCHEMES_WITHOUT_SITE.has(scheme)) return true;
  return !LIKE_HTTP.has(scheme) && hostType === "domain" && !host.includes(".");
}

function hasScheme(text: string): boolean {
  return text.includes("://") && SCHEME.test(text);
}

/** Shapes that no field of a table has, either. */
const NEVER_ENTRIES: ReadonlySet<RefusalCode> = new Set(["defanged", "html", "regular-expression"]);

/** The reason to refuse `text` before it is parsed, or `null`. */
function characterProblem(text: string, kind: EntryKind): RefusalCode | null {
  const looksLike = recognizeLine(text)?.code ?? null;
  if (looksLike !== null && NEVER_ENTRIES.has(looksLike)) return looksLike;
  // It stands for bytes that are not UTF-8.
  if (text.includes("\ufffd")) return "not-utf-8";
  if (text.includes("\\")) return "backslash";
  if (MARK_BEFORE_HOST.test(text)) return "host-character";
  if (kind === "field") {
    if (/[\0-\x1f\x7f]/.test(text)) return "control-character";
    // If the text has a scheme, a space may belong to the path. A space in the host is found after parsing.
    return /\s/.test(text) && !hasScheme(text) ? "space" : null;
  }
  if (looksLike !== null) return looksLike;
  if (/[\s\p{Z}]/u.test(text)) return "space";
  return /[<>"]/.test(text) ? "character-excluded" : null;
}

function unparsedProblem(text: string): RefusalCode {
  return /^mailto:/i.test(text) ? "email-address" : "not-a-url";
}

function hostProblem({ host, hostType }: CanonicalUrl): RefusalCode | null {
  if (hostType !== "domain") return null;
  let label = 0;
  for (let i = 0; i < host.length; i++) {
    const code = host.charCodeAt(i);
    if (code === DOT) label = i + 1;
    else if (IN_HOST[code] !== 1) return characterInHost(host);
    else if (i - label >= MAX_LABEL_LENGTH) return "host-too-long";
  }
  if (host.length > MAX_HOST_LENGTH) return "host-too-long";
  // Browsers refuse a host whose last label is a number, unless the whole host is an address.
  const startsLikeNumber = host.charCodeAt(label) <= NINE;
  return startsLikeNumber && NUMBER.test(host.slice(label)) ? "host-number" : null;
}

function characterInHost(host: string): RefusalCode {
  if (host.includes("*")) return "wildcard";
  return host.includes("%20") ? "space" : "host-character";
}

/** Refuses a scheme that was read as a host, such as the host `www.http` of `http://www.http//evil.example`. */
function schemeProblem({ host }: CanonicalUrl): RefusalCode | null {
  return SCHEME_AS_HOST.test(host) ? "scheme-doubled" : null;
}

/** Refuses text without a scheme that is a URL only by chance, such as words, numbers, ranges and email addresses. */
function bareProblem(text: string, { host, hostType, path }: CanonicalUrl): RefusalCode | null {
  if (text.includes("@") && /^[^/?#]*@/.test(text)) return "email-address";
  if (hostType === "domain") return host.includes(".") ? null : "host-single-label";
  if (RANGE.test(path)) return "ip-range";
  // Canonicalization reads "1.0" and "12345" as IP addresses, too.
  return hostType === "ipv4" && !text.startsWith(host) ? "host-number" : null;
}

/*
 * The specification and browsers read some texts as different URLs. An entry for one of the two could block a site that
 * has nothing to do with the other: in `http://good.example%2F@evil.example/`, browsers see a user name before
 * evil.example, and the specification sees a path of good.example.
 */

/** The two readings of a text, which are the same object if they give the same entry. */
type BothReadings = Pick<UrlReadings, "specification" | "browser" | "problem">;

/**
 * Matches most texts that have only one reading: a possible host name or an IPv4 address, perhaps with a port; a path
 * without escapes, empty segments and segments that begin with a dot; any query. All characters are ordinary ones of
 * URLs.
 */
const ONE_READING =
  /^(?:https?:\/\/)?(?![^/?]{254}|[Hh][TtXx]{2}[Pp][Ss]?__)(?:(?:[\w-]{1,63}\.)+(?![Xx][Nn]--|[Hh](?:[Tt]{2}|[Xx]{2})[Pp][Ss]?(?:[:/?]|$))[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?|(?:(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])\.){3}(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5]))(?::\d{1,4})?(?:(?:\/(?![./])[\w!$&'+,.:;=@~-]*)+(?:\?[\w!$%&'+,./:;=?@~-]*)?)?$/;

/** A quick check for most texts that have only one reading. */
export function hasOneReading(text: string): boolean {
  return ONE_READING.test(text);
}

/**
 * Schemes that browsers read like `http`. Browsers do not open URLs with other schemes, but an entry also covers the
 * URL with `http`.
 */
const LIKE_HTTP: ReadonlySet<string> = new Set(["http", "https", "ftp", "ws", "wss"]);

/**
 * Both readings of a text that may have two. A URL with a scheme that browsers do not open is read as if the scheme
 * were `http`.
 */
function readBothWays(text: string, hasOne = false): BothReadings {
  if (hasOne) {
    const { specification, problem } = readUrl(text, "specification");
    return { specification, browser: specification, problem };
  }
  const { specification, firefox, problem, ...both } = readUrl(text);
  // It is enough if one browser opens another URL.
  const browser = firefox ?? both.browser;
  const readings = { specification, browser, problem };
  if (specification === null || browser !== null || LIKE_HTTP.has(specification.scheme)) {
    return readings;
  }
  const colon = text.indexOf("://");
  if (colon < 0) return readings;
  const http = readUrl(`http${text.slice(colon)}`);
  const isSame = http.browser === http.specification;
  return { ...readings, problem: http.problem, browser: isSame ? specification : http.browser };
}

/** Both readings of a text in words. */
export function describeReadings(text: string): string {
  const { specification, browser } = readBothWays(text);
  const nameOf = (url: CanonicalUrl | null): string =>
    url === null ? "nothing" : shorten(exactExpression(url));
  return `browsers open ${nameOf(browser)}, the specification reads ${nameOf(specification)}`;
}

/** A quick check for most texts: only a text that matches can have an ellipsis in its host. */
const SIGN_OF_CUT_HOST =
  /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?[^/?#]*?(?:\.\.|[%\u2025\u2026\u3002\uff0e\uff61])/i;

/** Matches an ellipsis in a host without escapes. Two dots count only at the end of the host. */
const ELLIPSIS_IN_HOST = /^[^/]*\/\/[^/?]*?(?:\.{3}|\.\.(?:[/?]|$)|[\u2025\u2026])/;

/**
 * Whether the host of a URL was cut short. The text is tested as it is before canonicalization removes the dots.
 */
export function isHostCut(text: string): boolean {
  if (!SIGN_OF_CUT_HOST.test(text)) return false;
  const steps = explainCanonicalization(text);
  const before = steps.findIndex(({ step }) => step === "trim-dots") - 1;
  return ELLIPSIS_IN_HOST.test(steps[before]!.text);
}

const PARTS = /^(?:https?:\/\/)?([^/?#]*)(.*)$/is;
const PORT_AT_END = /:[0-9]*$/;
const NOT_ASCII = /[^\0-\x7f]+/g;
const IDNA_DOTS = /[.\u3002\uff0e\uff61]/;

/**
 * Whether a host is written in its canonical form, apart from letters of other alphabets, which rules may also contain.
 */
function isSameHost(written: string, host: string): boolean {
  if (written === host) return true;
  const labels = written.split(IDNA_DOTS);
  const expected = host.split(".");
  const isSame = (label: string, i: number) => label === expected[i] || /[^\0-\x7f]/.test(label);
  return labels.length === expected.length && labels.every(isSame);
}

/**
 * Whether the pattern of an Adblock rule is the URL of its entry, character by character. Rules are compared with the
 * URL that a browser sends, so `||evil.example/a/../^` blocks nothing, while its entry would cover all of evil.example.
 */
function isLiteral(pattern: string, { host, path, query }: CanonicalUrl): boolean {
  if (pattern === host) return true;
  const [, authority = "", rest = ""] = PARTS.exec(pattern)!;
  if (!isSameHost(authority.replace(PORT_AT_END, "").toLowerCase(), host)) return false;
  if (rest === "") return true;
  // An empty query is not part of an entry.
  if (query === "") return false;
  const canonical = query === null ? path : `${path}?${query}`;
  return rest.replace(NOT_ASCII, encodeURIComponent) === canonical;
}

/**
 * Returns the entries that block a whole host: that of the host itself, and those of the hosts with at least two labels
 * above it. A list must not have any of them if the host is never to be blocked.
 *
 * @param host the expression of a host, as `readListSource` reports it for a line of the format `domains`.
 * @example
 * ```ts
 * import { entriesOfHost } from "@x/list-source";
 *
 * entriesOfHost("www.shop.example/"); // → ["www.shop.example/", "shop.example/"]
 * ```
 */
export function entriesOfHost(host: Expression): Expression[] {
  const all = [host];
  const isAddress = /[\d\]]\/$/.test(host);
  while (!isAddress && all.at(-1)!.split(".", 3).length > 2) {
    const last = all.at(-1)!;
    all.push(last.slice(last.indexOf(".") + 1) as Expression);
  }
  return all;
}
