import { FOLDED_CHARACTERS } from "./fold.ts";
import { SHORTEST_TYPO, type Site } from "./names.ts";

const BITS = 5;
const CLASS_COUNT: number = 1 << BITS;

/** The classes of characters, of five bits: those of one class are folded to the same one. */
export const CLASSES: Uint8Array = new Uint8Array(256);
for (const letter of "abcdefghjklmnopqrstuvwxz6") CLASSES[letter.charCodeAt(0)] = classOf(letter);
for (const [character, like] of Object.entries(FOLDED_CHARACTERS)) {
  CLASSES[character.charCodeAt(0)] = classOf(like);
}

function classOf(letter: string): number {
  return letter.charCodeAt(0) & (CLASS_COUNT - 1);
}

/** A way to write the name of a site. */
export interface Spelling {
  readonly site: Site;
  /** The name, in which pairs may stand for letters. Hyphens are left out. */
  readonly bytes: Uint8Array;
  /** Whether words may stand beside the name. */
  readonly hasWords: boolean;
}

/** The number of characters at each end of a token that are looked up. */
export const EDGE = 5;

/** The spellings of names. A token is looked up in them to find those that it is, begins or ends with, or misspells. */
export interface SpellingTables {
  /** Spellings shorter than an edge, which are looked up as a whole. */
  readonly short: Spellings;
  /** Spellings by the edge at the start. */
  readonly starts: Spellings;
  /** Spellings by the edge at the end. */
  readonly ends: Spellings;
  /**
   * Names by the outlines of tokens with typos. Nearly every typo leaves one of the two outlines unchanged or, if it is
   * near the start or the end, the edge on the other side.
   */
  readonly typos: Spellings;
}

export function spellingTables(sites: readonly Site[]): SpellingTables {
  const [short, starts, ends] = [new Spellings(), new Spellings(), new Spellings()];
  const typos = new Spellings();

  function addSpelling(spelling: Spelling): void {
    const { bytes, hasWords } = spelling;
    const { length } = bytes;
    if (length >= EDGE) {
      starts.add(edgeOf(bytes, 0, EDGE), spelling);
      if (hasWords) ends.add(edgeOf(bytes, length - EDGE, EDGE), spelling);
      return;
    }
    const all = edgeOf(bytes, 0, length);
    short.add(all, spelling);
    if (!hasWords || length < EDGE - 1) return;
    for (let beside = 0; beside < CLASS_COUNT; beside++) {
      starts.add((all << BITS) | beside, spelling);
      ends.add((beside << (length * BITS)) | all, spelling);
    }
  }

  function addTypos(spelling: Spelling): void {
    const { bytes } = spelling;
    const { length } = bytes;
    for (let ofTypo = length - 1; ofTypo <= length + 1; ofTypo++) {
      for (const outline of outlinesOf(bytes, ofTypo)) typos.add(outline, spelling);
    }
    // When two characters in the middle of six are swapped, neither outline stays the same.
    for (let at = 1; length === SHORTEST_TYPO && at < length; at++) {
      const swapped = bytes.slice();
      swapped.set([bytes[at]!, bytes[at - 1]!], at - 1);
      for (const outline of outlinesOf(swapped, length)) typos.add(outline, spelling);
    }
  }

  for (const site of sites) {
    const hasWords = !site.isWord || site.label.length > 4;
    for (const text of spellingsOf(site.name)) {
      addSpelling({ site, bytes: encoder.encode(text), hasWords });
    }
    if (site.hasTypos) addTypos({ site, bytes: encoder.encode(site.letters), hasWords });
  }
  return { short, starts, ends, typos };
}

const encoder = new TextEncoder();

/** The classes of up to five characters. */
export function edgeOf(bytes: Uint8Array, start: number, length: number): number {
  let edge = 0;
  for (let at = start; at < start + length; at++) edge = (edge << BITS) | CLASSES[bytes[at]!]!;
  return edge;
}

function outlinesOf(bytes: Uint8Array, length: number): number[] {
  const first = edgeOf(bytes, 0, EDGE);
  const last = edgeOf(bytes, bytes.length - EDGE, EDGE);
  return [startOutline(first, last, length), endOutline(first, last, length)];
}

/** The first three characters of a token, the last one, and the length, by the edges of the token. */
export function startOutline(first: number, last: number, length: number): number {
  const three = first >>> ((EDGE - 3) * BITS);
  return (length << (4 * BITS + 1)) | (three << BITS) | (last & (CLASS_COUNT - 1));
}

/** The first character of a token, the last three, and the length. */
export function endOutline(first: number, last: number, length: number): number {
  const one = first >>> ((EDGE - 1) * BITS);
  const three = last & ((1 << (3 * BITS)) - 1);
  return (length << (4 * BITS + 1)) | (1 << (4 * BITS)) | (one << (3 * BITS)) | three;
}

/** Spellings by the numbers under which they are looked up. */
export class Spellings {
  /** A bit for the hash of each number. These few bytes stay in the cache of the processor. */
  readonly #hashes: Int32Array = new Int32Array(2 ** (HASH_BITS - 5));
  /** For each bucket of hashes, the index of the first of its spellings; 0 if it has none. */
  readonly #firsts: Uint16Array = new Uint16Array(2 ** (HASH_BITS - BUCKET_BITS));
  /** The numbers and the spellings by index, and the index of the next one in the same bucket. */
  readonly #numbers: number[] = [0];
  readonly #spellings: (Spelling | null)[] = [null];
  readonly #nexts: number[] = [0];

  add(number: number, spelling: Spelling): void {
    const hash = hashOf(number);
    this.#hashes[hash >>> 5]! |= 1 << hash;
    this.#nexts.push(this.#firsts[hash >>> BUCKET_BITS]!);
    this.#spellings.push(spelling);
    this.#firsts[hash >>> BUCKET_BITS] = this.#numbers.push(number) - 1;
  }

  /** 0 if there are no spellings under a number, which is certain; otherwise 1. */
  mayHave(number: number): number {
    const hash = hashOf(number);
    return (this.#hashes[hash >>> 5]! >>> hash) & 1;
  }

  /** Whether a test accepts a spelling under a number. */
  some(
    number: number,
    test: (spelling: Spelling, url: Uint8Array, start: number, end: number) => boolean,
    url: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    let index = this.#firsts[hashOf(number) >>> BUCKET_BITS]!;
    while (index !== 0) {
      if (this.#numbers[index] === number && test(this.#spellings[index]!, url, start, end)) {
        return true;
      }
      index = this.#nexts[index]!;
    }
    return false;
  }
}

const HASH_BITS = 16;
/** The number of bits of a hash by which the hashes in a bucket differ. */
const BUCKET_BITS = 4;

function hashOf(number: number): number {
  return Math.imul(number, 0x9e3779b1) >>> (32 - HASH_BITS);
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
