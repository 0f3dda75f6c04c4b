import { decodeLabel, PUNYCODE } from "@x/canon/punycode";
import { isAtService, nameOnCheapHost, weightOfTopLevel } from "./cheap-hosts.ts";
import { folded } from "./fold.ts";
import { LONG, type Names, namesOf, SHORTEST_TYPO, type Site, VERY_LONG } from "./names.ts";
import { type QuickTest, quickTest } from "./quick-test.ts";
import { IS_SURE, IS_UNUSUAL, TELLS, weightOf, weightOfWords } from "./words.ts";

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
  | "top-level-domain"
  /** It has the name of a bank, a post or a wallet where hosts cost little or nothing: `telstra-abc.weebly.com`. */
  | "cheap-host";

/** The well-known site that a host imitates. */
export interface Imitation {
  readonly code: ImitationCode;
  /** The domain of the site: `"paypal.com"`. */
  readonly site: string;
  /**
   * The piece of the host that imitates the site, from one index to another: the name of the site, perhaps with the
   * ending of its domain, or the characters that the site does not have. A label in Punycode is never split.
   */
  readonly start: number;
  readonly end: number;
  /** The characters that the site has instead; `null` if the piece is the name itself. */
  readonly instead: string | null;
}

/** An imitation, and the place of its piece: the index of a label, and code units from the start of that label. */
interface Found extends Pick<Imitation, "code" | "instead"> {
  readonly site: Site;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The options of `imitations`. */
export interface ImitationOptions {
  /** Returns the registrable domain of a host; without it, the last two labels, or three as in `a.co.uk`. */
  readonly registrableDomain?: ((host: string) => string | null) | undefined;
  /** Lines with more sites, in the form of the table in `well-known-sites.ts`. */
  readonly sites?: string | undefined;
}

/** Functions that find imitations of well-known sites. */
export interface Imitations {
  /** The well-known site that a canonical host imitates; `null` for any other host. */
  readonly imitationOf: (host: string) => Imitation | null;
  /** Whether a canonical host belongs to one of the well-known sites. */
  readonly isWellKnown: (host: string) => boolean;
  /**
   * The first domain of the owner of a canonical host: `"youtube.com"` for `youtu.be`. Hosts with the same owner are sites
   * of the same company. It is `null` for a host that is not well known, and for one at which others publish.
   */
  readonly ownerOf: (host: string) => string | null;
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
const END = /^(?:com?|net|org|gov|io|us|info|biz)(?![a-z])/;
/** Countries whose top-level domains people take for the end of the site as well. */
const COUNTRIES: ReadonlySet<string> = new Set(
  `ae at au be br ca ch cl cn co cz de dk es eu fi fr gr hk hu id ie il in it jp kr me mx my nl no nz pe ph pl pt ro ru
  se sg sk th tr tw ua uk us vn za`.split(/\s+/),
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
    const names = namesRead();
    const labels = host.split(".").map((label) => decodeLabel(label) ?? label);
    if (endsOf(labels).some((end) => NETWORKS.has(end) || names.isOwn(end))) return null;
    const at = labels.length - (isAtService(labels) ? 3 : labelsOfDomain(host));
    if (at >= labels.length - 1) return null;
    const label = labels[at]!;
    const isName = names.named(folded(label))?.label === label;
    const found =
      (isName
        ? abusedDomain(labels, at, names)
        : (leadingName(labels, at, names) ??
          lookAlikeName(labels, at, names) ??
          typo(labels, at, names) ??
          joinedWords(labels, at, names))) ?? onCheapHost(labels, at, names);
    return found && placed(found, host);
  }
  /** The number of labels of a registrable domain; 0 if a host has none, or one that forgers cannot register. */
  function labelsOfDomain(host: string): number {
    const domain = registrableDomain(host);
    return domain === null || RESTRICTED.test(domain) ? 0 : domain.split(".").length;
  }

  /** The domain of a well-known site to which a host belongs. */
  function ownDomain(host: string): string | undefined {
    if (host.length > LONGEST_HOST) return undefined;
    return endsOf(host.split(".")).find(namesRead().isOwn);
  }
  return {
    imitationOf,
    isWellKnown: (host) => ownDomain(host) !== undefined,
    ownerOf: (host) => namesRead().ownerOf(ownDomain(host) ?? ""),
    quickTest() {
      test ??= quickTest(namesRead(), (host) => imitationOf(host) !== null);
      return test;
    },
  };
}

/** No site can have a longer host. */
const LONGEST_HOST = 255;

/** A host and all domains above it. */
function endsOf(labels: readonly string[]): string[] {
  return labels.map((_, i) => labels.slice(i).join("."));
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
function leadingName(labels: readonly string[], at: number, names: Names): Found | null {
  const isFree = isAtService(labels);
  for (let i = 0; i <= at; i++) {
    const tokens = labels[i]!.split("-");
    // In `paypal-com.evil.example`, hyphens stand for the dots.
    for (let j = 0; j + 1 < tokens.length; j++) {
      const site = names.named(folded(tokens[j]!));
      // A site can be named `office-com`, but not `paypal-com`.
      if (site === null || (site.isWord && i === at && !isFree)) continue;
      if (tokens[j + 1] === site.end && tokens[j]!.length > 3)
        return named("leading-name", site, i, ...rangeOf(tokens, j, j + 1));
    }
    if (i === at) break;
    const next = labels[i + 1]!;
    // In `paypal.com-login.example` and `paypal.com24.example`, people read the name up to the hyphen or the digit.
    const end = i + 1 < at ? next : /^[a-z]+(?=[-\d])/.exec(next)?.[0];
    if (end === undefined) continue;
    const site = names.named(folded(tokens.at(-1)!));
    if (site === null) continue;
    const isShort = site.isWord || site.name.length < 4;
    const isEnd = END.test(end) || COUNTRIES.has(end);
    if (end === site.end || (isEnd && (!isShort || end.startsWith(site.end)))) {
      const [from, to] = rangeOf(tokens, tokens.length - 1);
      // A domain such as `hsbc.co.uk` is the owner's as a whole.
      const isOwn = (ending: string) => names.isOwn(`${site.label}.${ending}`);
      const longer = i + 2 < at ? `${end}.${labels[i + 2]}` : end;
      const read = isOwn(longer) ? longer : end;
      const domain = isOwn(read) ? `${site.label}.${read}` : site.domain;
      return named("leading-name", { ...site, domain }, i, from, to + 1 + read.length);
    }
  }
  return null;
}

function lookAlikeName(labels: readonly string[], at: number, names: Names): Found | null {
  for (let i = at; i >= 0; i--) {
    const label = labels[i]!;
    const site = names.named(folded(label.replaceAll("-", "")));
    if (site === null || site.label === label) continue;
    const isLong = site.label.length >= SHORTEST_TYPO && !site.isWord;
    // Short labels often end with a number, and others begin with one.
    if (isLong ? site.label.length < LONG && /^[1-9]/.test(label) : /^\d|\d$/.test(label)) continue;
    if (isLong || (i === at && site.label.length >= 5 && !label.includes("-")))
      return misspelt("characters", site, label, i);
  }
  return null;
}

function typo(labels: readonly string[], at: number, names: Names): Found | null {
  for (let i = at; i >= 0; i--) {
    const site = names.typedWrong(labels[i]!);
    if (site === null || (i < at && site.label.length <= LONG)) continue;
    return misspelt("typo", site, labels[i]!, i);
  }
  return null;
}

function joinedWords(labels: readonly string[], at: number, names: Names): Found | null {
  const tokens = labels.slice(0, at + 1).map((label) => label.split("-"));
  const weights = tokens.map((each) => each.map(weightOfToken));
  const abused = weightOfTopLevel(labels.at(-1)!);
  const all = weights.flat().reduce((sum, weight) => sum + weight, 0);
  for (let i = at; i >= 0; i--) {
    const ofLabel = weights[i]!.reduce((sum, weight) => sum + weight, 0);
    // Below another site, a name with common words is that of a page about its site: `youtube-dl.example.com`.
    const isAboutSite = i < at && ofLabel + abused < TELLS && !/\d/.test(labels[i]!);
    for (const [j, token] of tokens[i]!.entries()) {
      const beside = ofLabel - weights[i]![j]! + abused;
      const next = tokens[i]![j + 1];
      const ofTwo =
        next === undefined || tokens[i]!.length === 2
          ? null
          : nameOfTwo(token, next, beside - weights[i]![j + 1]!, names);
      if (ofTwo !== null) return named("words", ofTwo, i, ...rangeOf(tokens[i]!, j, j + 1));
      const site =
        (tokens[i]!.length === 1 || isAboutSite ? null : nameAmong(token, beside, names)) ??
        nameInside(token, beside, names) ??
        (i < at && all - weights[i]![j]! >= TELLS ? nameBefore(token, names) : null);
      if (site === null) continue;
      const [from, to] = rangeOf(tokens[i]!, j);
      const within = token.indexOf(site.label);
      return within < 0
        ? named("words", site, i, from, to)
        : named("words", site, i, from + within, from + within + site.label.length);
    }
  }
  return null;
}

/** A short word that stands beside names in the titles of innocent sites. */
const PARTICLE = /^(?:at|by|my|of|on)$/;

function weightOfToken(token: string): number {
  if (PARTICLE.test(token)) return 0;
  const weight = weightOf(token) || (weightOfWords(token) ?? 0);
  if (weight !== 0) return weight;
  return /\d.*\d/.test(token) ? IS_UNUSUAL : 0;
}

/** The site whose name is two tokens, with or without a hyphen between them. */
function nameOfTwo(first: string, second: string, beside: number, names: Names): Site | null {
  const site = names.named(folded(`${first}-${second}`)) ?? names.named(folded(first + second));
  return site !== null && isEnough(site, beside) ? site : null;
}

function nameAmong(token: string, beside: number, names: Names): Site | null {
  const site = names.named(folded(token));
  if (site !== null) return isEnough(site, beside) ? site : null;
  const typed = names.typedWrong(token);
  return beside >= TELLS || (typed !== null && typed.label.length >= VERY_LONG) ? typed : null;
}

/** @param beside the weight of the other words of the label. */
function isEnough({ label, isWord, isUnmistakable }: Site, beside: number): boolean {
  if (isUnmistakable) return true;
  // `order-box` says what is in a box.
  if (isWord && label.length < 4) return false;
  // `live-tracking` shows where something is now.
  if (isWord) return beside >= (label.length < 5 ? IS_SURE : TELLS);
  return beside >= (label.length < SHORTEST_TYPO ? 2 * IS_UNUSUAL : IS_UNUSUAL);
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
  if (isShort) return beside >= TELLS || weight >= IS_SURE ? site : null;
  return weight + beside >= 2 * IS_UNUSUAL ? site : null;
}

/** The site whose name stands alone before another site. */
function nameBefore(token: string, names: Names): Site | null {
  const site = names.named(folded(token));
  return site === null || site.isWord || site.label.length < SHORTEST_TYPO ? null : site;
}

function abusedDomain(labels: readonly string[], at: number, names: Names): Found | null {
  const label = labels[at]!;
  const end = labels.at(-1)!;
  const site = names.named(folded(label));
  if (site === null || site.isWord || site.name.length < 5) return null;
  if (weightOfTopLevel(end) < IS_UNUSUAL) return null;
  const last = { at: labels.length - 1, from: 0, to: end.length };
  return { code: "top-level-domain", site, ...last, instead: site.end };
}

function onCheapHost(labels: readonly string[], at: number, names: Names): Found | null {
  const name = nameOnCheapHost(labels, at, names);
  return name && { ...name, code: "cheap-host", instead: null };
}

/** The place of some of the tokens of a label. */
function rangeOf(tokens: readonly string[], first: number, last: number = first): [number, number] {
  const from = tokens.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0);
  return [from, from + tokens.slice(first, last + 1).join("-").length];
}

/** An imitation by the name itself. */
function named(code: ImitationCode, site: Site, at: number, from: number, to: number): Found {
  return { code, site, at, from, to, instead: null };
}

/** An imitation by characters other than those of the name. If one is missing, the piece is the one beside it. */
function misspelt(code: ImitationCode, site: Site, label: string, at: number): Found {
  const name = site.label;
  const most = Math.min(label.length, name.length);
  let from = 0;
  while (from < most && label[from] === name[from]) from++;
  let same = 0;
  while (same < most - from && label.at(-1 - same) === name.at(-1 - same)) same++;
  const isMissing = from === label.length - same;
  if (isMissing && from > 0) from--;
  else if (isMissing) same--;
  const instead = name.slice(from, name.length - same);
  return { code, site, at, from, to: label.length - same, instead };
}

function placed({ code, site, at, from, to, instead }: Found, host: string): Imitation {
  const labels = host.split(".");
  const offset = labels.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0);
  const place = { start: offset + from, end: offset + to };
  const label = labels[at]!;
  if (!label.startsWith(PUNYCODE)) return { code, site: site.domain, ...place, instead };
  const whole = { start: offset, end: offset + label.length };
  return { code, site: site.domain, ...whole, instead: instead === null ? null : site.label };
}
