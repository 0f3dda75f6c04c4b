import { FOLDED_CHARACTERS } from "./fold.ts";
import { SHORTEST_TYPO, type Site } from "./names.ts";

/** Longer tokens count as if they had this length. */
export const MOST = 31;

/** The classes of characters, less than 32: those of one class are folded to the same one. */
export const CLASSES: Uint8Array = new Uint8Array(256);
for (const [i, letter] of [..."abcdefghjklmnopqrstuvwxz6"].entries()) {
  CLASSES[letter.charCodeAt(0)] = i + 1;
}
for (const [character, like] of Object.entries(FOLDED_CHARACTERS)) {
  CLASSES[character.charCodeAt(0)] = CLASSES[like.charCodeAt(0)]!;
}

/** A way to write the name of a site. */
export interface Spelling {
  readonly site: Site;
  /** The class of each character. Hyphens are left out. */
  readonly classes: readonly number[];
  /** Whether tokens that have typos of the name are found by it. */
  readonly hasTypos: boolean;
}

/** The spellings of names, by their first and their last classes. */
export interface SpellingEdges {
  /** The edges of the names of two and three characters. */
  readonly shortest: Uint8Array;
  /** Names of six characters or more by six classes. */
  readonly longStarts: Edges;
  readonly longEnds: Edges;
  /** Shorter names by four classes, and those of less than eight characters for typos at their ends. */
  readonly starts: Edges;
  readonly ends: Edges;
  /** Names for typos elsewhere: by the first three classes and the last one, and by the first one and the last three. */
  readonly typoStarts: Edges;
  readonly typoEnds: Edges;
}

export function spellingEdges(sites: readonly Site[]): SpellingEdges {
  const shortest = new Uint8Array(2 ** (5 * 3));
  const [longStarts, longEnds] = [new Edges(), new Edges()];
  const [starts, ends] = [new Edges(), new Edges()];
  const [typoStarts, typoEnds] = [new Edges(), new Edges()];
  for (const site of sites) {
    const { name, isWord, label } = site;
    const hasTypos = !isWord && label.length >= SHORTEST_TYPO && !label.includes("-");
    const isWhole = isWord && label.length === 4;
    for (const classes of spellingsOf(name)) {
      const { length } = classes;
      if (length < 4) {
        shortest[edgeOf(classes, 0, length)] = 1;
        continue;
      }
      const spelling = { site, classes, hasTypos };
      // A typo has one character more or less, or two more if one is written as "rn".
      const ofTypos = hasTypos ? 0b1111 << (Math.min(length, MOST - 2) - 1) : 0;
      const ofNames = isWhole ? 1 << length : -1 << Math.min(length, MOST);
      if (length >= 6) {
        longStarts.add(edgeOf(classes, 0, 6), spelling, ofNames | ofTypos);
        longEnds.add(edgeOf(classes, length - 6, length), spelling, ofNames | ofTypos);
      }
      if (length < 6 || (hasTypos && name.length < 8)) {
        const lengths = (length < 6 ? ofNames : 0) | ofTypos;
        starts.add(edgeOf(classes, 0, 4), spelling, lengths);
        ends.add(edgeOf(classes, length - 4, length), spelling, lengths);
      }
      if (!hasTypos) continue;
      const [start, end] = [edgeOf(classes, 0, 3), edgeOf(classes, length - 3, length)];
      typoStarts.add((start << 5) | classes.at(-1)!, spelling, ofTypos);
      typoEnds.add((classes[0]! << 15) | end, spelling, ofTypos);
    }
    if (!hasTypos) continue;
    for (let at = 0; at + 1 < name.length; at++) {
      const after = name.length - at - 2;
      // If these two characters of a short name are swapped, no edge is left as it was.
      if (Math.max(at, after) > (at > 0 && after > 0 ? 2 : 3)) continue;
      const swapped = name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
      for (const classes of spellingsOf(swapped)) {
        starts.add(edgeOf(classes, 0, 4), { site, classes, hasTypos }, 1 << classes.length);
      }
    }
  }
  return { shortest, longStarts, longEnds, starts, ends, typoStarts, typoEnds };
}

const EDGE_BITS = 15;
/** Edges share the entries of a table if these bits of their hashes are the same. */
const ENTRY_BITS = 13;

/** Spellings, by the hash of an edge: some of their first or their last classes. */
export class Edges {
  /** A bit for each hash. These few bytes stay in the cache of the processor, and exclude most edges. */
  readonly marks: Int32Array = new Int32Array(2 ** (EDGE_BITS - 5));
  /** A bit for each length of a token. */
  readonly lengths: Int32Array = new Int32Array(2 ** ENTRY_BITS);
  /** The index of the last entry. Entry 0 is none. */
  readonly lastEntries: Uint16Array = new Uint16Array(2 ** ENTRY_BITS);
  /** For each entry: the one before it, a bit for each class of the spelling, and the spelling. */
  readonly before: number[] = [0];
  readonly letters: number[] = [0];
  readonly spellings: (Spelling | null)[] = [null];

  /** @param lengths a bit for each length of a token for which the spelling is tried. */
  add(edge: number, spelling: Spelling, lengths: number): void {
    const hash = hashOf(edge);
    this.marks[hash >>> 5]! |= 1 << hash;
    const place = hash >>> (EDGE_BITS - ENTRY_BITS);
    this.lengths[place]! |= lengths;
    this.before.push(this.lastEntries[place]!);
    this.letters.push(spelling.classes.reduce((bits, kind) => bits | (1 << kind), 0));
    this.lastEntries[place] = this.spellings.push(spelling) - 1;
  }

  /** The lowest bit tells whether there may be spellings with an edge: 0 is certain. */
  mark(edge: number): number {
    const hash = hashOf(edge);
    return this.marks[hash >>> 5]! >>> hash;
  }

  /** Whether there may be spellings with an edge in a token of a length. `false` is certain. */
  mayHave(edge: number, length: number): boolean {
    if ((this.mark(edge) & 1) === 0) return false;
    const hash = hashOf(edge);
    return ((this.lengths[hash >>> (EDGE_BITS - ENTRY_BITS)]! >>> length) & 1) !== 0;
  }

  /** The last entry whose edge may be this one. */
  lastOf(edge: number): number {
    return this.lastEntries[hashOf(edge) >>> (EDGE_BITS - ENTRY_BITS)]!;
  }
}

function hashOf(edge: number): number {
  return Math.imul(edge, 0x9e3779b1) >>> (32 - EDGE_BITS);
}

function edgeOf(classes: readonly number[], start: number, end: number): number {
  let edge = 0;
  for (let at = start; at < end; at++) edge = (edge << 5) | classes[at]!;
  return edge;
}

/** The classes of every text that is folded to a name. */
function spellingsOf(name: string): number[][] {
  let spellings: number[][] = [[]];
  for (const letter of name) {
    if (letter === "-") continue;
    const pair = PAIRS[letter];
    const classes = CLASSES[letter.charCodeAt(0)]!;
    const withPair = pair === undefined ? [] : spellings.map((each) => [...each, ...pair]);
    for (const each of spellings) each.push(classes);
    if (pair !== undefined) spellings = [...spellings, ...withPair];
  }
  return spellings;
}

/** The classes of two characters that are folded to one. */
const PAIRS: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  Object.entries({ m: "rn", w: "vv", d: "cl" }).map(([letter, pair]) => {
    return [letter, Array.from(pair, (each) => CLASSES[each.charCodeAt(0)]!)];
  }),
);
