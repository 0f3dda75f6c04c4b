import { FOLDED_CHARACTERS } from "./fold.ts";
import { SHORTEST_TYPO, type Site } from "./names.ts";

/** The classes of characters, less than 32: those of one class are folded to the same one. */
export const CLASSES: Uint8Array = new Uint8Array(256);
for (const letter of "abcdefghjklmnopqrstuvwxz6")
  CLASSES[letter.charCodeAt(0)] = classAt(letter, 0);
for (const [character, like] of Object.entries(FOLDED_CHARACTERS)) {
  CLASSES[character.charCodeAt(0)] = classAt(like, 0);
}

/** The class of a character of a spelling. */
export function classAt(text: string, index: number): number {
  return text.charCodeAt(index) & 31;
}

/** A way to write the name of a site. */
export interface Spelling {
  readonly site: Site;
  /** The name, in which pairs may stand for letters. Hyphens are left out. */
  readonly text: string;
  /** Whether words may stand beside the name. */
  readonly hasWords: boolean;
  /** Whether tokens that have typos of the name are found by it. */
  readonly hasTypos: boolean;
}

/** The spellings of names, by the classes at their edges, with five bits for each class. */
export interface SpellingEdges {
  /** Whether there is a spelling of two or three characters with these classes. */
  readonly shortest: Uint8Array;
  /** Spellings of four and five characters, by their first three classes and the one after them. */
  readonly shortStarts: Edges;
  /** The same by their last three classes and the one before them. */
  readonly shortEnds: Edges;
  /** Longer spellings, by their first four classes and the one after them. */
  readonly starts: Edges;
  readonly ends: Edges;
  /** Names for typos elsewhere, by their first three classes and the last one. */
  readonly typoStarts: Edges;
  readonly typoEnds: Edges;
}

export function spellingEdges(sites: readonly Site[]): SpellingEdges {
  const shortest = new Uint8Array(2 ** 15);
  const shortStarts = new Edges();
  const shortEnds = new Edges();
  const starts = new Edges();
  const ends = new Edges();
  const typoStarts = new Edges();
  const typoEnds = new Edges();
  for (const site of sites) {
    const { name, isWord, label } = site;
    const hasTypos = !isWord && label.length >= SHORTEST_TYPO && !label.includes("-");
    const hasWords = !isWord || label.length > 4;
    // A typo of a short name may swap the last two letters, or the first two.
    const isSwappable = hasTypos && name.length <= 6;
    for (const text of spellingsOf(name)) {
      const { length } = text;
      const start3 = edgeOf(text, 0);
      if (length < 4) {
        shortest[length === 3 ? start3 : start3 >>> 5] = 1;
        continue;
      }
      const spelling = { site, text, hasWords, hasTypos };
      const end3 = edgeOf(text, length - 3);
      const fourth = classAt(text, 3);
      const beforeLast3 = classAt(text, length - 4);
      if (length < 6) {
        shortStarts.add(start3, 1 << fourth, spelling);
        if (hasWords) shortEnds.add(end3, 1 << beforeLast3, spelling);
      } else {
        const after = isSwappable ? lettersOf(text, 4, length) : 1 << classAt(text, 4);
        const before = isSwappable
          ? lettersOf(text, 0, length - 4)
          : 1 << classAt(text, length - 5);
        starts.add((start3 << 5) | fourth, after, spelling);
        ends.add((beforeLast3 << 15) | end3, before, spelling);
      }
      // A typo in a longer spelling leaves the five characters at one of its edges as they were.
      if (!hasTypos || length > 10) continue;
      typoStarts.add(start3, 1 << classAt(text, length - 1), spelling);
      typoEnds.add(end3, 1 << classAt(text, 0), spelling);
    }
    if (!isSwappable) continue;
    for (let at = 0; at + 1 < name.length; at++) {
      const after = name.length - at - 2;
      // If these two characters of a short name are swapped, no edge is left as it was.
      if (Math.max(at, after) > (at > 0 && after > 0 ? 2 : 3)) continue;
      const swapped = name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
      for (const text of spellingsOf(swapped)) {
        const spelling = { site, text, hasWords, hasTypos };
        shortStarts.add(edgeOf(text, 0), 1 << classAt(text, 3), spelling);
      }
    }
  }
  return { shortest, shortStarts, shortEnds, starts, ends, typoStarts, typoEnds };
}

const HASH_BITS = 13;

/** Spellings by the hash of an edge, which is some of their first or last classes. */
export class Edges {
  /** A bit for each class that may be at one more place. These few bytes stay in the cache of the processor. */
  readonly masks: Int32Array = new Int32Array(2 ** HASH_BITS);
  /** The last spelling with an edge, as an index of `spellings`, where 0 is none. */
  readonly last: Uint16Array = new Uint16Array(2 ** HASH_BITS);
  readonly spellings: (Spelling | null)[] = [null];
  /** The spelling before each one that has the same hash. */
  readonly before: number[] = [0];

  add(edge: number, mask: number, spelling: Spelling): void {
    const hash = hashOf(edge);
    this.masks[hash]! |= mask;
    this.before.push(this.last[hash]!);
    this.last[hash] = this.spellings.push(spelling) - 1;
  }

  /** The lowest bit tells whether there may be spellings with an edge and a class: 0 is certain. */
  mark(edge: number, one: number): number {
    return this.masks[hashOf(edge)]! >>> one;
  }

  /** The last spelling whose edge may be this one. */
  lastOf(edge: number): number {
    return this.last[hashOf(edge)]!;
  }
}

function hashOf(edge: number): number {
  return Math.imul(edge, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** Three classes of a text. One after its end is 0. */
function edgeOf(text: string, start: number): number {
  return (classAt(text, start) << 10) | (classAt(text, start + 1) << 5) | classAt(text, start + 2);
}

/** A bit for each class in a part of a text. */
function lettersOf(text: string, start: number, end: number): number {
  let letters = 0;
  for (let at = start; at < end; at++) letters |= 1 << classAt(text, at);
  return letters;
}

const PAIRED = /[mwd]/g;
/** The two characters that are folded to one. */
const PAIRS: Readonly<Record<string, string>> = { m: "rn", w: "vv", d: "cl" };

/** All texts of the classes that are folded to a name. */
function spellingsOf(name: string): string[] {
  const text = name.replaceAll("-", "");
  const parts = text.split(PAIRED);
  let spellings = [parts[0]!];
  let at = parts[0]!.length;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!;
    const letter = text[at]!;
    spellings = spellings.flatMap((each) => [each + letter + part, each + PAIRS[letter]! + part]);
    at += 1 + part.length;
  }
  return spellings;
}
