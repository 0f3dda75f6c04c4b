import { FOLDED_CHARACTERS, folded } from "./fold.ts";
import { type Names, SHORTEST_TYPO, type Site } from "./names.ts";

/*
 * A test of bytes that excludes nearly all hosts. A host imitates a site only if one of its tokens, which end at dots
 * and hyphens, begins or ends with the folded name of a site, perhaps with hyphens in it, or is a typo of a name. The
 * first four characters and the last four of a token tell nearly always that it does not.
 */

const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
/** The length of `://`. */
const AFTER_SCHEME = 3;
const EDGE = 4;
const SHORT_EDGE = 3;

/** Characters that end a token. */
const ENDS = new Uint8Array(256);
for (const byte of [HYPHEN, DOT, SLASH, COLON]) ENDS[byte] = 1;
/** The classes of characters, less than 32: those of one class are folded to the same one. */
const CLASSES = new Uint8Array(256);
for (const [i, letter] of [..."abcdefghjklmnopqrstuvwxz6"].entries()) {
  CLASSES[letter.charCodeAt(0)] = i + 1;
}
for (const [character, like] of Object.entries(FOLDED_CHARACTERS)) {
  CLASSES[character.charCodeAt(0)] = CLASSES[like.charCodeAt(0)]!;
}

/** Returns whether the host of a canonical URL may imitate a site. `false` is certain. */
export type MayImitate = (url: Uint8Array, start?: number, end?: number) => boolean;

interface Spelling {
  readonly classes: Uint8Array;
  /** Whether the name counts only if it is a whole token. */
  readonly isWhole: boolean;
}

export function quickTest({ sites, similar, isOwn }: Names): MayImitate {
  const beginnings = new Edges();
  const endings = new Edges();
  /** The names that are too short for these edges to tell of their typos. */
  const short = [new Edges(), new Edges()] as const;
  /** The names of less than four characters. */
  const shortest = new Uint8Array(2 ** (5 * EDGE - 5));
  for (const site of sites) {
    for (const classes of spellingsOf(site.name)) {
      if (classes.length < EDGE) {
        shortest[edge(classes, 0, EDGE)] = 1;
        continue;
      }
      const isWhole = site.isWord && site.label.length === EDGE;
      const spelling = { classes, isWhole };
      beginnings.add(edge(classes, 0, EDGE), spelling);
      endings.add(edge(classes, classes.length - EDGE, classes.length), spelling);
      if (site.name.length >= 2 * EDGE || !hasTypos(site)) continue;
      short[0].add(edge(classes, 0, SHORT_EDGE), spelling);
      short[1].add(edge(classes, classes.length - SHORT_EDGE, classes.length), spelling);
    }
    if (site.name.length > 2 * EDGE || !hasTypos(site)) continue;
    // In names as short as these, two swapped letters can be in both edges.
    for (const classes of swappedIn(site.name).flatMap(spellingsOf)) {
      beginnings.add(edge(classes, 0, EDGE), { classes, isWhole: true });
    }
  }

  function isName(url: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length < EDGE) return shortest[edgeOf(url, start, end)] !== 0;
    const first = edgeOf(url, start, start + EDGE);
    const last = edgeOf(url, end - EDGE, end);
    if (
      !beginnings.mayHave(first) &&
      !endings.mayHave(last) &&
      !(
        length >= SHORTEST_TYPO - 1 &&
        (short[0].mayHave(first >>> 5) || short[1].mayHave(last & 0x7fff))
      )
    )
      return false;
    return isSpelt(url, start, end, first, last);
  }

  function isSpelt(
    url: Uint8Array,
    start: number,
    end: number,
    first: number,
    last: number,
  ): boolean {
    for (const { classes, isWhole } of beginnings.get(first)) {
      const stop = start + classes.length;
      if (stop > end || (isWhole && stop < end)) continue;
      if (areSame(classes, url, start)) return true;
    }
    for (const { classes, isWhole } of endings.get(last)) {
      const from = end - classes.length;
      if (from < start || (isWhole && from > start)) continue;
      if (areSame(classes, url, from)) return true;
    }
    return (
      end - start >= SHORTEST_TYPO - 1 &&
      (isTypo(beginnings.get(first), url, start, end) ||
        isTypo(endings.get(last), url, start, end) ||
        isTypo(short[0].get(first >>> 5), url, start, end) ||
        isTypo(short[1].get(last & 0x7fff), url, start, end))
    );
  }

  function isTypo(
    spellings: readonly Spelling[],
    url: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    for (const { classes } of spellings) {
      if (!mayBeTypo(classes, url, start, end)) continue;
      if (similar(folded(String.fromCharCode(...url.subarray(start, end)))) !== null) return true;
    }
    return false;
  }

  const joined = new Uint8Array(256);

  /** Tests a label with hyphens as if it had none, or none between two of its tokens. */
  function isNameWithHyphens(url: Uint8Array, start: number, end: number): boolean {
    const isPunycode = url[start + 2] === HYPHEN && url[start + 3] === HYPHEN;
    if (isPunycode || end - start > joined.length) return true;
    let length = 0;
    let beforeLast = 0;
    let last = 0;
    for (let at = start; at <= end; at++) {
      const byte = at < end ? url[at]! : HYPHEN;
      if (byte !== HYPHEN) {
        joined[length++] = byte;
        continue;
      }
      if (last > 0 && length - beforeLast > 2 && isName(joined, beforeLast, length)) return true;
      beforeLast = last;
      last = length;
    }
    return length > 2 && isName(joined, 0, length);
  }

  function isOthers(url: Uint8Array, start: number, end: number): boolean {
    const host = String.fromCharCode(...url.subarray(start, endOfHost(url, start, end)));
    for (let at = 0; at >= 0; at = host.indexOf(".", at) + 1) {
      if (isOwn(host.slice(at))) return false;
      if (host.indexOf(".", at) < 0) break;
    }
    return true;
  }

  return (url, start = 0, end = url.length) => {
    let at = start;
    while (at < end && url[at] !== COLON) at++;
    at += AFTER_SCHEME;
    const host = at;
    let label = at;
    let token = at;
    for (; at <= end; at++) {
      const byte = at < end ? url[at]! : SLASH;
      if (ENDS[byte] === 0) continue;
      if (at - token > 2 && isName(url, token, at)) return isOthers(url, host, end);
      if (byte !== HYPHEN) {
        if (label !== token && isNameWithHyphens(url, label, at)) return isOthers(url, host, end);
        if (byte !== DOT) return false;
        label = at + 1;
      }
      token = at + 1;
    }
    return false;
  };
}

const NO_SPELLINGS: readonly Spelling[] = [];

/** The spellings of names, by their first or their last classes. */
class Edges {
  readonly marks = new Uint8Array(2 ** 16);
  readonly spellings = new Map<number, Spelling[]>();

  add(edge: number, spelling: Spelling): void {
    this.marks[markOf(edge)] = 1;
    const others = this.spellings.get(edge);
    if (others === undefined) this.spellings.set(edge, [spelling]);
    else others.push(spelling);
  }

  /** Whether there may be spellings with these classes. `false` is certain. */
  mayHave(edge: number): boolean {
    return this.marks[markOf(edge)] !== 0;
  }

  get(edge: number): readonly Spelling[] {
    return this.spellings.get(edge) ?? NO_SPELLINGS;
  }
}

/** Four classes have 20 bits. */
function markOf(edge: number): number {
  return (edge ^ (edge >>> 7)) & 0xffff;
}

function areSame(classes: Uint8Array, url: Uint8Array, start: number): boolean {
  for (let i = 0; i < classes.length; i++) {
    if (CLASSES[url[start + i]!] !== classes[i]) return false;
  }
  return true;
}

/** Whether only one place differs, of up to three characters: those of "rn" and another one, which may be swapped. */
function mayBeTypo(classes: Uint8Array, url: Uint8Array, start: number, end: number): boolean {
  const length = Math.min(classes.length, end - start);
  let same = 0;
  while (same < length && CLASSES[url[start + same]!] === classes[same]) same++;
  let sameAtEnd = 0;
  while (
    sameAtEnd < length &&
    CLASSES[url[end - 1 - sameAtEnd]!] === classes[classes.length - 1 - sameAtEnd]
  ) {
    sameAtEnd++;
  }
  return same + sameAtEnd >= classes.length - 3 && same + sameAtEnd >= end - start - 3;
}

function edgeOf(url: Uint8Array, start: number, end: number): number {
  let edge = 0;
  for (let at = start; at < end; at++) edge = (edge << 5) | CLASSES[url[at]!]!;
  return edge;
}

function edge(classes: Uint8Array, start: number, end: number): number {
  return classes.subarray(Math.max(0, start), end).reduce((edge, kind) => (edge << 5) | kind, 0);
}

function endOfHost(url: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && url[at] !== SLASH && url[at] !== COLON) at++;
  return at;
}

function hasTypos({ isWord, label }: Site): boolean {
  return !isWord && label.length >= SHORTEST_TYPO && !label.includes("-");
}

/** A name with two letters swapped, in all ways. */
function swappedIn(name: string): string[] {
  return Array.from({ length: name.length - 1 }, (_, i) => {
    return name.slice(0, i) + name[i + 1]! + name[i]! + name.slice(i + 2);
  });
}

/** The classes of every text that is folded to a name. Hyphens are left out. */
function spellingsOf(name: string): Uint8Array[] {
  let spellings = [name.replaceAll("-", "")];
  for (const [letter, other] of [
    ["m", "rn"],
    ["w", "vv"],
    ["d", "cl"],
  ] as const) {
    spellings = spellings.flatMap((text) => replacedInAllWays(text, letter, other));
  }
  return spellings.map((text) => Uint8Array.from(text, (letter) => CLASSES[letter.charCodeAt(0)]!));
}

function replacedInAllWays(text: string, letter: string, other: string): string[] {
  const [first, ...rest] = text.split(letter) as [string, ...string[]];
  return rest.reduce(
    (before, part) => before.flatMap((each) => [each + letter + part, each + other + part]),
    [first],
  );
}
