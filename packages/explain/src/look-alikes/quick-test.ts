import { FOLDED_CHARACTERS } from "./fold.ts";
import { type Names, SHORTEST_TYPO, type Site } from "./names.ts";

/*
 * A test of bytes that excludes nearly all hosts. A host imitates a site only if one of its tokens, which end at dots
 * and hyphens, begins or ends with the folded name of a site, perhaps with hyphens in it, or is a typo of a name. The
 * first and the last characters of a token, and its length, tell nearly always that it does not.
 */

const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
/** The length of `://`. */
const AFTER_SCHEME = 3;
/** Longer tokens count as if they had this length. */
const MOST = 31;

/** Pairs of characters that look like one. */
const PAIRS = /rn|vv|c[li1]/;

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

export function quickTest({ sites, isOwn }: Names): MayImitate {
  /** Names and their typos, by the first or the last four classes of a token. */
  const [starts, ends] = [new Edges(), new Edges()];
  /** Short names by three classes, because a typo can change both the first four and the last four. */
  const [shortStarts, shortEnds] = [new Edges(), new Edges()];
  /** The names of three characters. */
  const shortest = new Uint8Array(2 ** (5 * 3));
  for (const site of sites) {
    const isWhole = site.isWord && site.label.length === 4;
    for (const classes of spellingsOf(site.name)) {
      const { length } = classes;
      if (length < 4) {
        shortest[firstOf(classes, 3)] = 1;
        continue;
      }
      const similarLengths = 0b1111 << (Math.min(length, MOST - 2) - 1);
      const lengths = isWhole ? 1 << length : -1 << Math.min(length, MOST);
      starts.add(firstOf(classes, 4), classes, lengths | (hasTypos(site) ? similarLengths : 0));
      ends.add(lastOf(classes, 4), classes, lengths | (hasTypos(site) ? similarLengths : 0));
      if (site.name.length >= 8 || !hasTypos(site)) continue;
      shortStarts.add(firstOf(classes, 3), classes, similarLengths);
      shortEnds.add(lastOf(classes, 3), classes, similarLengths);
    }
    if (site.name.length > 8 || !hasTypos(site)) continue;
    // In names as short as these, two swapped letters can change both edges.
    for (const classes of swappedIn(site.name).flatMap(spellingsOf)) {
      starts.add(firstOf(classes, 4), classes, 1 << classes.length);
    }
  }

  function isName(url: Uint8Array, start: number, end: number): boolean {
    const length = Math.min(end - start, MOST);
    const first3 =
      (CLASSES[url[start]!]! << 10) | (CLASSES[url[start + 1]!]! << 5) | CLASSES[url[start + 2]!]!;
    if (length === 3) return shortest[first3] !== 0;
    const last3 =
      (CLASSES[url[end - 3]!]! << 10) | (CLASSES[url[end - 2]!]! << 5) | CLASSES[url[end - 1]!]!;
    const first4 = (first3 << 5) | CLASSES[url[start + 3]!]!;
    const last4 = (CLASSES[url[end - 4]!]! << 15) | last3;
    return (
      (starts.mayHave(first4, length) && isSimilar(starts.get(first4), url, start, end)) ||
      (ends.mayHave(last4, length) && isSimilar(ends.get(last4), url, start, end)) ||
      (shortStarts.mayHave(first3, length) &&
        isSimilar(shortStarts.get(first3), url, start, end)) ||
      (shortEnds.mayHave(last3, length) && isSimilar(shortEnds.get(last3), url, start, end))
    );
  }

  function isSimilar(
    spellings: readonly Uint8Array[],
    url: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    for (const classes of spellings) {
      if (isSpelt(classes, url, start, end) || mayBeTypo(classes, url, start, end)) return true;
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
    const labels = textOf(url, start, endOfHost(url, start, end)).split(".");
    return !isOwn(labels.slice(-2).join(".")) && !isOwn(labels.slice(-3).join("."));
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

const NO_SPELLINGS: readonly Uint8Array[] = [];
const MARK_BITS = 13;

/** The spellings of names, by their first or their last classes. */
class Edges {
  /** For the hash of each edge, a bit for each length of a token. */
  readonly lengths = new Int32Array(2 ** MARK_BITS);
  readonly spellings = new Map<number, Uint8Array[]>();

  add(edge: number, classes: Uint8Array, lengths: number): void {
    this.lengths[markOf(edge)]! |= lengths;
    const others = this.spellings.get(edge);
    if (others === undefined) this.spellings.set(edge, [classes]);
    else others.push(classes);
  }

  /** Whether there may be spellings with an edge in a token of a length. `false` is certain. */
  mayHave(edge: number, length: number): boolean {
    return ((this.lengths[markOf(edge)]! >>> length) & 1) !== 0;
  }

  get(edge: number): readonly Uint8Array[] {
    return this.spellings.get(edge) ?? NO_SPELLINGS;
  }
}

function markOf(edge: number): number {
  return Math.imul(edge, 0x9e3779b1) >>> (32 - MARK_BITS);
}

/** Whether a token begins or ends with a spelling. */
function isSpelt(classes: Uint8Array, url: Uint8Array, start: number, end: number): boolean {
  const { length } = classes;
  return (
    length <= end - start && (areSame(classes, url, start) || areSame(classes, url, end - length))
  );
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
  const others = Math.max(classes.length, end - start) - same - sameAtEnd;
  return others <= 2 || (others === 3 && PAIRS.test(textOf(url, start, end)));
}

function textOf(url: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(url[at]!);
  return text;
}

function firstOf(classes: Uint8Array, count: number): number {
  return classes.subarray(0, count).reduce((edge, kind) => (edge << 5) | kind, 0);
}

function lastOf(classes: Uint8Array, count: number): number {
  return firstOf(classes.subarray(classes.length - count), count);
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
