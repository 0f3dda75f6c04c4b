import { folded } from "./fold.ts";
import { type Names, SHORTEST_TYPO, type Site } from "./names.ts";
import { IS_COMMON, IS_UNUSUAL, TELLS, weightOf, weightOfWords } from "./words.ts";

/*
 * Hosts that cost nothing or little, where most forgeries are. Fans and developers have pages about popular sites there,
 * but hardly anyone has one about a bank, a post or a wallet, apart from forgers. Owners have domains of their own.
 */

/** Services at which anyone gets a host in a minute. Those at which owners document their software are not here. */
const SERVICES: ReadonlySet<string> = new Set(
  `000webhostapp.com daftpage.com durablesites.com firebaseapp.com framer.ai framer.app framer.media framer.website
  freewebhostmost.com glitch.me godaddysites.com lovable.app mystrikingly.com netlify.app onrender.com pages.dev
  square.site start.page typedream.app vercel.app w3spaces.com web.app webcindario.com webflow.io weebly.com
  weeblysite.com wixsite.com wixstudio.com workers.dev zapier.app`.split(/\s+/),
);

/** Top-level domains that are cheap and often abused. */
const ABUSED: ReadonlySet<string> = new Set(
  `bid bond buzz cam cc cf cfd click club cyou fit ga gift gq guru help icu ink live loan loans lol ltd
  makeup ml mom monster online ooo pics pw quest rest review sbs shop site skin space store stream su
  support tk top trade vip website win work world ws wtf xyz yachts zip`.split(/\s+/),
);

/** Whether a host is below the two labels of such a service. */
export function isAtService(labels: readonly string[]): boolean {
  return labels.length > 2 && SERVICES.has(labels.slice(-2).join("."));
}

/** Top-level domains of two letters are also those of countries: `airfrance.ga`. */
export function weightOfTopLevel(topLevel: string): number {
  if (!ABUSED.has(topLevel)) return 0;
  return topLevel.length > 2 ? IS_UNUSUAL : IS_COMMON;
}

/** A site whose name is in a host, and the place of the name in a label. */
export interface NameInHost {
  readonly site: Site;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The name in a host that costs little.
 *
 * @param at the index of the label that its owner chose.
 */
export function nameOnCheapHost(
  labels: readonly string[],
  at: number,
  names: Names,
): NameInHost | null {
  const isFree = isAtService(labels);
  const isCheap = isFree || weightOfTopLevel(labels.at(-1)!) >= IS_UNUSUAL;
  for (let i = at; i >= 0; i--) {
    const label = labels[i]!;
    const site = names.named(folded(label));
    if (site !== null) {
      const counts = isFree
        ? isRare(site) && label.length >= SHORTEST_TYPO
        : i < at && countsBefore(site, labels[at]!, labels.at(-1)!);
      if (counts) return { site, at: i, from: 0, to: label.length };
    } else if (isCheap) {
      let from = 0;
      for (const token of label.split("-")) {
        const name = nameInToken(token, label !== token, names);
        if (name !== null) {
          from += name.start;
          return { site: name.site, at: i, from, to: from + name.length };
        }
        from += token.length + 1;
      }
    }
  }
  return null;
}

/** Whether hardly anyone but its owner and forgers has pages about a site. */
function isRare({ isWord, isPopular }: Site): boolean {
  return !isWord && !isPopular;
}

/** Whether the name of a site counts as a whole label before a domain. */
function countsBefore(site: Site, domain: string, topLevel: string): boolean {
  const { length } = site.label;
  const weight = weightOfTopLevel(topLevel);
  // `depop.id-562940.com`: the domain has nothing but numbers and the words of forgeries.
  const hasNumber = /\d{4}/.test(domain);
  if (hasNumber && length > 3 && weightOfLabel(domain) >= TELLS) return true;
  if (length < SHORTEST_TYPO) return false;
  if (weight > 0 && isRare(site)) return true;
  // People who run software at home like numbers below `.xyz`, which cost next to nothing.
  if (weight >= IS_UNUSUAL && hasNumber && topLevel !== "xyz") return true;
  // In China, many sites have numbers as names.
  return length >= 10 && /^\d{5,}$/.test(domain);
}

/** How much a label of words and numbers alone tells; 0 for others. */
function weightOfLabel(label: string): number {
  let most = 0;
  for (const token of label.split("-")) {
    const weight = weightOf(token) || weightOfWords(token);
    if (weight === null) return 0;
    most = Math.max(most, weight);
  }
  return most;
}

/** Whether the name of a site counts also where it is joined with any other letters. */
export function countsInside(site: Site): boolean {
  return isRare(site) && site.label.length > SHORTEST_TYPO;
}

function nameInToken(token: string, hasOthers: boolean, names: Names) {
  const { length: all } = token;
  const typed = names.typedWrong(token);
  if (typed !== null) return { site: typed, start: 0, length: all };
  const whole = names.named(folded(token));
  if (whole !== null) {
    const isLong = all >= (hasOthers ? 4 : SHORTEST_TYPO);
    return isLong && isRare(whole) ? { site: whole, start: 0, length: all } : null;
  }
  for (let length = token.length - 1; length >= 4; length--) {
    const rest = token.length - length;
    for (const start of [0, rest]) {
      const site = names.named(folded(token.slice(start, start + length)));
      if (site === null) continue;
      const other = start === 0 ? token.slice(length) : token.slice(0, rest);
      const isOfWords = weightOfWords(other) !== null;
      const hasNumber = site.label.length >= SHORTEST_TYPO && /\d{5}/.test(other);
      if (countsInside(site) || (isOfWords && (isRare(site) || hasNumber)))
        return { site, start, length };
    }
  }
  return null;
}
