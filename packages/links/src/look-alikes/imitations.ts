import { decodePunycode } from "@x/canon/punycode";
import { folded } from "./fold.ts";
import { LONG, type Names, namesOf, SHORTEST_TYPO, type Site } from "./names.ts";
import { type QuickTest, quickTest } from "./quick-test.ts";
import { IS_COMMON, TELLS, weightOf, weightOfWords } from "./words.ts";

/** How a host imitates a well-known site. */
export type ImitationCode =
  /** It is spelt with characters that look like those of the name, or with hyphens in it: `paypa1.com`. */
  | "characters"
  /** It has a letter more or less than the name, another one, or two that are swapped: `paypall.com`. */
  | "typo"
  /** It joins the name with words that forgeries use: `paypal-secure-login.com`. */
  | "words"
  /** It begins with the whole domain of the site: `www.paypal.com.evil.example`. */
  | "leading-name"
  /** It has the name below a top-level domain that is often abused: `paypal.top`. */
  | "top-level-domain";

/** The well-known site that a host imitates. */
export interface Imitation {
  readonly code: ImitationCode;
  /** The domain of the site: `"paypal.com"`. */
  readonly site: string;
}

/** The options of `imitations`. */
export interface ImitationOptions {
  /** Returns the registrable domain of a host; without it, the last two labels, or three as in `a.co.uk`. */
  readonly registrableDomain?: ((host: string) => string | null) | undefined;
  /** Lines with more sites, in the form of `WELL_KNOWN_SITES`. */
  readonly sites?: string | undefined;
}

/** Functions that find imitations of well-known sites. */
export interface Imitations {
  /** The well-known site that a canonical host imitates; `null` for any other host. */
  readonly imitationOf: (host: string) => Imitation | null;
  /** Returns the same test for many hosts in bytes. Its tables are made when this is first called. */
  readonly quickTest: () => QuickTest;
}

/** Content delivery networks, mirrors and directories: hosts below them begin with the names of their customers. */
const NETWORKS: ReadonlySet<string> = new Set(
  `akadns.net akadns6.net akamai.net akamaiedge.net akamaihd.net akamaized.net ampproject.org archive.org
  cloudflare.net cloudfront.net edgekey.net edgesuite.net fastly.net footprint.net llnwd.net softonic.com
  translate.goog uptodown.com wikia.com`.split(/\s+/),
);
/** Suffixes at which only schools, universities and governments can have sites. */
const RESTRICTED = /\.(?:edu|ac|gov|gouv|gob|mil)(?:\.[a-z]{2})?$/;
/** Ends of names, which people take for the end of the site. */
const END = /^(?:com?|net|org|gov|io|us|info|biz)(?![a-z])|^[a-z]{2}$/;
/** Top-level domains that are cheap and often abused. */
const ABUSED: ReadonlySet<string> = new Set(
  `bid bond buzz cam cc cf cfd click club cyou fit ga gift gq guru help icu info ink link live loan loans lol ltd
  makeup ml mobi mom monster online ooo pics pro pw quest rest review sbs shop site skin space store stream su
  support tk top trade vip website win work world ws wtf xyz yachts zip`.split(/\s+/),
);

/**
 * Returns a function that finds the well-known site that a host imitates. The rules follow those that Chromium has
 * published for its own warnings.
 */
export function imitations(options: ImitationOptions = {}): Imitations {
  const { registrableDomain = shortestDomain, sites = "" } = options;
  let known: Names | null = null;
  let test: QuickTest | null = null;
  /** Reads the table when the first host is tested, because many programs test none. */
  function namesRead(): Names {
    known ??= namesOf(sites);
    return known;
  }
  function imitationOf(host: string): Imitation | null {
    if (host.length > LONGEST_HOST) return null;
    const domain = registrableDomain(host);
    if (domain === null || RESTRICTED.test(domain)) return null;
    const names = namesRead();
    const labels = host.split(".").map(decoded);
    for (let i = 0; i < labels.length; i++) {
      const end = labels.slice(i).join(".");
      if (NETWORKS.has(end) || names.isOwn(end)) return null;
    }
    const at = labels.length - domain.split(".").length;
    if (at === labels.length - 1) return null;
    const label = labels[at]!;
    const leading = leadingName(labels, at, names);
    if (leading !== null) return leading;
    const isName = names.named(folded(label))?.label === label;
    if (isName) return abusedDomain(label, labels.at(-1)!, names);
    return lookAlikeName(labels, at, names) ?? typo(label, names) ?? joinedWords(labels, at, names);
  }
  return {
    imitationOf,
    quickTest() {
      test ??= quickTest(namesRead(), (host) => imitationOf(host) !== null);
      return test;
    },
  };
}

/** No site can have a longer host. */
const LONGEST_HOST = 255;

const PUNYCODE = "xn--";

function decoded(label: string): string {
  return label.startsWith(PUNYCODE)
    ? (decodePunycode(label.slice(PUNYCODE.length)) ?? label)
    : label;
}

/** The registrable domain of a host, as far as it can be told without the Public Suffix List. */
function shortestDomain(host: string): string | null {
  return (
    /(?:^|\.)([a-z\d-]+\.(?:(?:com?|net|org|ac|edu|gov|gob|gouv|or|ne|go)\.)?[^.\d]+[^.]*)$/.exec(
      host,
    )?.[1] ?? null
  );
}

/** @param at the index of the first label of the registrable domain. */
function leadingName(labels: readonly string[], at: number, names: Names): Imitation | null {
  for (let i = 0; i <= at; i++) {
    const tokens = labels[i]!.split("-");
    // In `paypal-com.evil.example`, hyphens stand for the dots.
    for (let j = 0; j + 1 < tokens.length; j++) {
      const site = names.named(folded(tokens[j]!));
      if (site !== null && tokens[j + 1] === site.end && tokens[j]!.length > 3)
        return found("leading-name", site);
    }
    if (i === at) break;
    const next = labels[i + 1]!;
    // In `paypal.com-login.example` and `paypal.com24.example`, people read the name up to the hyphen or the digit.
    const end = i + 1 < at ? next : /^[a-z]+(?=[-\d])/.exec(next)?.[0];
    if (end === undefined) continue;
    const site = names.named(folded(tokens.at(-1)!));
    if (site === null) continue;
    const isShort = site.isWord || site.name.length < 4;
    if (end === site.end || (END.test(end) && (!isShort || end.startsWith(site.end))))
      return found("leading-name", site);
  }
  return null;
}

function lookAlikeName(labels: readonly string[], at: number, names: Names): Imitation | null {
  for (let i = at; i >= 0; i--) {
    const label = labels[i]!;
    const site = names.named(folded(label.replaceAll("-", "")));
    if (site === null || site.label === label) continue;
    const isLong = site.label.length >= SHORTEST_TYPO && !site.isWord;
    // Short labels often end with a number, and others begin with one.
    if (isLong ? site.label.length < LONG && /^[1-9]/.test(label) : /^\d|\d$/.test(label)) continue;
    if (isLong || (i === at && site.label.length >= 4 && !label.includes("-")))
      return found("characters", site);
  }
  return null;
}

function typo(label: string, names: Names): Imitation | null {
  const site = names.typedWrong(label);
  return site === null ? null : found("typo", site);
}

function joinedWords(labels: readonly string[], at: number, names: Names): Imitation | null {
  const tokens = labels.slice(0, at + 1).map((label) => label.split("-"));
  const weights = tokens.map((each) => each.map(weightOfToken));
  const abused = ABUSED.has(labels.at(-1)!) ? IS_COMMON : 0;
  const all = weights.flat().reduce((sum, weight) => sum + weight, 0);
  for (let i = at; i >= 0; i--) {
    const ofLabel = weights[i]!.reduce((sum, weight) => sum + weight, 0);
    // Below another site, a name with common words is that of a page about its site: `youtube-dl.example.com`.
    const isAboutSite = i < at && ofLabel + abused < TELLS && !/\d/.test(labels[i]!);
    for (const [j, token] of tokens[i]!.entries()) {
      const beside = ofLabel - weights[i]![j]! + abused;
      const next = tokens[i]![j + 1];
      const site =
        (next === undefined || tokens[i]!.length === 2
          ? null
          : nameOfTwo(token, next, beside - weights[i]![j + 1]!, names)) ??
        (tokens[i]!.length === 1 || isAboutSite ? null : nameAmong(token, beside, names)) ??
        nameInside(token, beside, names) ??
        (i < at && all - weights[i]![j]! >= TELLS ? nameBefore(token, names) : null);
      if (site !== null) return found("words", site);
    }
  }
  return null;
}

/** A short word that stands beside names in the titles of innocent sites. */
const PARTICLE = /^(?:and|at|by|for|of|on|the)$/;

function weightOfToken(token: string): number {
  const weight = weightOf(token) || (weightOfWords(token) ?? 0);
  if (weight !== 0) return weight;
  const isShort = token.length <= 3 && !PARTICLE.test(token);
  return isShort || /\d/.test(token) ? IS_COMMON : 0;
}

/** The site whose name is two tokens, with or without a hyphen between them. */
function nameOfTwo(first: string, second: string, beside: number, names: Names): Site | null {
  const site = names.named(folded(`${first}-${second}`)) ?? names.named(folded(first + second));
  return site !== null && isEnough(site, beside) ? site : null;
}

function nameAmong(token: string, beside: number, names: Names): Site | null {
  const site = names.named(folded(token));
  if (site !== null) return isEnough(site, beside) ? site : null;
  return beside >= TELLS ? names.typedWrong(token) : null;
}

/** @param beside the weight of the other words of the label. */
function isEnough({ label, isWord, isUnmistakable }: Site, beside: number): boolean {
  if (isUnmistakable) return true;
  return beside >= (isWord ? TELLS : label.length < SHORTEST_TYPO ? 2 * IS_COMMON : IS_COMMON);
}

function nameInside(token: string, beside: number, names: Names): Site | null {
  if (names.named(folded(token))?.label === token) return null;
  for (let length = token.length - 1; length >= 4; length--) {
    const rest = token.length - length;
    const site =
      besideWords(token.slice(0, length), token.slice(length), beside, names) ??
      besideWords(token.slice(rest), token.slice(0, rest), beside, names);
    if (site !== null) return site;
  }
  return null;
}

function besideWords(text: string, words: string, beside: number, names: Names): Site | null {
  const site = names.named(folded(text));
  if (site === null) return null;
  if (site.label.length < LONG && /^[1-9]/.test(text)) return null;
  const isExact = text === site.label || /\d/.test(text);
  if (isExact && site.isUnmistakable && site.label.length >= SHORTEST_TYPO) return site;
  const weight = weightOfWords(words);
  const isShort = site.isWord || site.label.length < SHORTEST_TYPO;
  // `cryptoid` is a word of its own.
  if (isShort && words.length < 3 && beside < TELLS) return null;
  if (weight === null || (isShort && (!isExact || (site.isWord && site.label.length < 5))))
    return null;
  return weight + beside >= (isShort ? TELLS : 2 * IS_COMMON) ? site : null;
}

/** The site whose name stands alone before another site. */
function nameBefore(token: string, names: Names): Site | null {
  const site = names.named(folded(token));
  return site === null || site.isWord || site.label.length < SHORTEST_TYPO ? null : site;
}

function abusedDomain(label: string, topLevel: string, names: Names): Imitation | null {
  const site = names.named(folded(label));
  if (site === null || site.isWord || site.name.length < 5 || !ABUSED.has(topLevel)) return null;
  return found("top-level-domain", site);
}

function found(code: ImitationCode, { domain }: Site): Imitation {
  return { code, site: domain };
}
