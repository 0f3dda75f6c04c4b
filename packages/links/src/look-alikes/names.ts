import { folded, foldedAlone } from "./fold.ts";
import { WELL_KNOWN_SITES } from "./well-known-sites.ts";

/** A site and its name. */
export interface Site {
  /** The domain to which people should be led. */
  readonly domain: string;
  /** The first label of the domain, and the same label folded. */
  readonly label: string;
  readonly name: string;
  /** The first label, with each character folded alone. */
  readonly letters: string;
  /** The label of the domain after the name: `"com"`, or `"co"` in `a.co.uk`. */
  readonly end: string;
  /** Whether the name is also a common word. */
  readonly isWord: boolean;
  /** Whether no other site is likely to have a name that contains this one. */
  readonly isUnmistakable: boolean;
  /** Whether others have pages about the owner, such as fans and developers. */
  readonly isPopular: boolean;
  /** Whether typos of the name count. */
  readonly hasTypos: boolean;
}

/** The names of sites, by which they are found. */
export interface Names {
  readonly sites: readonly Site[];
  /** Whether a registrable domain belongs to one of the sites. */
  readonly isOwn: (domain: string) => boolean;
  /**
   * The first domain of the owner of a registrable domain. It is `null` for a domain of no site, and for one that has no
   * mark in its line.
   */
  readonly ownerOf: (domain: string) => string | null;
  /** The site with a name; `null` if there is none. */
  readonly named: (folded: string) => Site | null;
  /** The site whose name differs from a text in one letter, or in two that are swapped; `null` if there is none. */
  readonly typedWrong: (text: string) => Site | null;
}

/** The length of the shortest names that have typos. */
export const SHORTEST_TYPO = 6;
/** The length of names in which more letters are replaced, and which count anywhere in a label. */
export const LONG = 8;
/** The length of names whose first letter may be replaced, and whose typos count beside any words. */
export const VERY_LONG = 10;

/** Reads sites from lines, in addition to the well-known ones. */
export function namesOf(more: string): Names {
  /** The domains of all sites, with the first domain of the owner, or `null` for a domain without a mark. */
  const own = new Map<string, string | null>();
  const byName = new Map<string, Site>();
  /** Sites by `pairsOf` their letters: a typo changes only one of the pairs. */
  const byPair = new Map<string, Site[]>();
  let isPopular = false;
  for (const line of `${more}\n${WELL_KNOWN_SITES}`.split("\n")) {
    const [first, ...others] = line.trim().split(/\s+/) as [string, ...string[]];
    if (first.startsWith("#")) isPopular = first === "#~";
    if (first === "" || first.startsWith("#")) continue;
    const isWord = first.startsWith("~");
    const isUnmistakable = first.startsWith("!");
    const domain = isWord || isUnmistakable ? first.slice(1) : first;
    const [label, end] = domain.split(".") as [string, string];
    // A site with a line of its own can also be in that of its owner, before or after it.
    const owner = own.get(domain) ?? domain;
    own.set(domain, owner);
    for (const other of others) {
      if (other.startsWith(".")) own.set(label + other, owner);
      else if (other.startsWith("=")) own.set(other.slice(1), owner);
      else if (!own.has(other)) own.set(other, null);
    }
    const name = folded(label);
    if (byName.has(name)) continue;
    const letters = foldedAlone(label);
    const hasTypos = !isWord && label.length >= SHORTEST_TYPO && !label.includes("-");
    const site = { domain, label, name, letters, end, isWord, isUnmistakable, isPopular, hasTypos };
    byName.set(name, site);
    if (!hasTypos) continue;
    for (const pair of pairsOf(letters)) {
      const sites = byPair.get(pair);
      if (sites === undefined) byPair.set(pair, [site]);
      else sites.push(site);
    }
  }
  const sites = [...byName.values()];
  return {
    sites,
    isOwn: (domain) => own.has(domain),
    ownerOf: (domain) => own.get(domain) ?? null,
    named: (name) => byName.get(name) ?? null,
    typedWrong(text) {
      for (const pair of pairsOf(foldedAlone(text))) {
        const site = byPair.get(pair)?.find((each) => isTypoOf(text, each));
        if (site !== undefined) return site;
      }
      return null;
    },
  };
}

/** The first two letters of a text, and the last two, each with its side. */
function pairsOf(letters: string): string[] {
  return [`${letters.slice(0, 2)}-`, `-${letters.slice(-2)}`];
}

/** Whether a text is the name of a site with one letter more or less, with another letter, or with two swapped. */
export function isTypoOf(text: string, site: Site): boolean {
  if (!site.hasTypos || text.length < SHORTEST_TYPO) return false;
  // Names that differ only in digits are those of different sites.
  if (/-|\d$|\d\d/.test(text) || WORDS.has(text)) return false;
  const isLike = isTypo(foldedAlone(text), site);
  if (!isLike || site.isUnmistakable || site.label.length >= LONG) return isLike;
  // `kirana` differs from `klarna` in two swapped letters and in another one, so it is another word.
  return isTypo(text, { ...site, letters: site.label });
}

/** Words that differ from a name in one letter, found in Debian's lists of words of five languages. */
const WORDS: ReadonlySet<string> = new Set(
  `amazonas applied bilance capitaine kleinanzeige notino pavonear signpost synchron telefonico walgreen`.split(
    " ",
  ),
);
const VOWEL = /[aeoul]/;
const VOWELS = /^[aeoul]{2}$/;

/**
 * The test of `isTypoOf` for texts with folded characters. Names of different sites often differ in their first letter,
 * as `twitch` and `switch` do, in a letter at the end, or in a consonant, as `minecraft` and `mindcraft` do, so these
 * count only in unmistakable names.
 */
function isTypo(text: string, { letters, isUnmistakable }: Site): boolean {
  if (text === letters) return false;
  let at = 0;
  while (at < text.length && text[at] === letters[at]) at++;
  const [rest, ofName] = [text.slice(at), letters.slice(at)];
  const isLong = isUnmistakable || letters.length >= LONG;
  if (rest.slice(1) === ofName) {
    if (isDoubled(text, at)) return true;
    if (at === 0) return rest[0] === "w";
    return ofName === "" ? isUnmistakable : isLong;
  }
  const isReplaced = rest.slice(1) === ofName.slice(1);
  if (at === 0) return isReplaced && isUnmistakable && letters.length >= VERY_LONG;
  if (rest === ofName.slice(1)) {
    const isLongVowel = letters.length > LONG && VOWEL.test(ofName[0]!);
    return isDoubled(letters, at) || isUnmistakable || isLongVowel;
  }
  if (isReplaced) {
    const isSure = isUnmistakable && letters.length > SHORTEST_TYPO;
    return isSure || (isLong && VOWELS.test(rest[0]! + ofName[0]!));
  }
  const isSwapped = rest[0] === ofName[1] && rest[1] === ofName[0];
  return isSwapped && rest.slice(2) === ofName.slice(2);
}

function isDoubled(text: string, at: number): boolean {
  return text[at] === text[at - 1] || text[at] === text[at + 1];
}
