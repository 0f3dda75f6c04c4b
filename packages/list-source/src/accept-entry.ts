import type { CanonicalUrl } from "@x/canon";
import { isDefanged } from "@x/canon/defanged";
import { isLiteral } from "./adblock-pattern-is-url.ts";
import { isHostCut } from "./cut-url.ts";
import type { EntryKind } from "./formats/format.ts";
import { setOf } from "./formats/parts/split-words.ts";
import { hasOneReading, LIKE_HTTP, readBothWays, readOneWay } from "./readings.ts";
import { recognizeLine } from "./recognize/line.ts";
import { holdsSeveralEntries } from "./recognize/several-urls.ts";
import type { RefusalCode } from "./refusal.ts";

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
  const { specification: url, browser, problem } = isPlain ? readOneWay(text) : readBothWays(text);
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

/** The reason to refuse `text` before it is parsed, or `null`. */
function characterProblem(text: string, kind: EntryKind): RefusalCode | null {
  const looksLike = recognizeLine(text)?.code ?? null;
  if (looksLike === "defanged" || looksLike === "html") return looksLike;
  if (text.includes("\\")) return "backslash";
  if (MARK_BEFORE_HOST.test(text)) return "host-character";
  if (kind === "field") {
    if (/[\0-\x1f\x7f]/.test(text)) return "control-character";
    // If the text has a scheme, a blank may belong to the path. A blank in the host is found after parsing.
    return /\s/.test(text) && !hasScheme(text) ? "blank" : null;
  }
  if (looksLike !== null) return looksLike;
  if (/[\s\p{Z}]/u.test(text)) return "blank";
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
  return host.includes("%20") ? "blank" : "host-character";
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
