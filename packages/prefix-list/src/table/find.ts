import { WORD_BYTES } from "../raw-hashes/words.ts";
import { HALF_BITS, type PrefixTable } from "./table.ts";

const HALF_MASK = 0xffff;
/**
 * The number of prefixes around the guessed index that are read first, so few that they fit in one or two cache lines.
 */
const WINDOW = 16;

/**
 * Returns `step` if the number `step` places after `at` is at most `half`, and 0 otherwise.
 *
 * The result cannot be predicted, so a branch here would cost more than the rest of the search. The sign of the
 * difference gives the result without a branch.
 */
function stepAtMost(halves: Uint16Array, at: number, step: number, half: number): number {
  return step & ((halves[at + step]! - half - 1) >> 31);
}

/** The last index, at least `from` and below `end`, whose number is at most `half`, or `from` when there is none. */
function lastHalfAtMost(halves: Uint16Array, from: number, end: number, half: number): number {
  const count = end - from;
  if (count > 2 * WINDOW) {
    // Hashes are spread evenly, so the index is usually near the one that interpolation gives.
    let low = from + ((half * count) >>> HALF_BITS) - WINDOW / 2;
    if (low < from) low = from;
    if (low > end - WINDOW) low = end - WINDOW;
    let at = low;
    at += stepAtMost(halves, at, 8, half);
    at += stepAtMost(halves, at, 4, half);
    at += stepAtMost(halves, at, 2, half);
    at += stepAtMost(halves, at, 1, half);
    // If the result is at an end of the window, the right index may lie outside the window, and only then is more read.
    const last = low + WINDOW - 1;
    if (halves[at]! <= half ? at < last || last === end - 1 : low === from) return at;
  }
  // The whole bucket is searched if it is small, or if the index is far from the guess: by chance, or because somebody
  // chose the prefixes that way.
  let at = from;
  for (let left = count; left > 1; ) {
    const step = left >>> 1;
    at += stepAtMost(halves, at, step, half);
    left -= step;
  }
  return at;
}

/** The last index, at least `from` and below `end`, whose number is at most `word`, or `from` when there is none. */
function lastWordAtMost(words: Uint32Array, from: number, end: number, word: number): number {
  let low = from;
  let high = end;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (words[middle]! <= word) low = middle;
    else high = middle;
  }
  return low;
}

/** The index of the last prefix whose first word is `word`, an unsigned number, or -1 when there is none. */
export function lastOfWord(table: PrefixTable, word: number): number {
  const { shift, buckets, halves, words } = table;
  const bucket = word >>> shift;
  const from = buckets[bucket]!;
  const end = buckets[bucket + 1]!;
  if (from === end) {
    checkThere(from);
    return -1;
  }
  if (halves.length > 0) {
    const half = word & HALF_MASK;
    const at = lastHalfAtMost(halves, from, end, half);
    return halves[at] === half ? at : -1;
  }
  const at = lastWordAtMost(words, from, end, word);
  if (words[at] === word) return at;
  checkThere(words[at]);
  return -1;
}

/**
 * Throws when a read returned `undefined` because the buffer was transferred. Without this check, a listed hash would
 * seem unlisted.
 */
function checkThere(read: number | undefined): void {
  if (read === undefined) throw new TypeError("the buffers of the list were transferred");
}

/** Whether the first word of the prefix at `at` is `word`, when both are in the same bucket. */
function hasWordAt({ halves, words }: PrefixTable, at: number, word: number): boolean {
  return halves.length > 0 ? halves[at] === (word & HALF_MASK) : words[at] === word;
}

/**
 * Compares the prefix at `at` with the bytes at `offset`, without the first word of each. The result is negative, 0 or
 * positive.
 */
function compareRest(
  { rests, prefixBytes }: PrefixTable,
  at: number,
  bytes: Uint8Array,
  offset: number,
): number {
  const restBytes = prefixBytes - WORD_BYTES;
  for (let k = 0; k < restBytes; k++) {
    const difference = rests[at * restBytes + k]! - bytes[offset + WORD_BYTES + k]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether the table has the prefix that begins at `offset` in `bytes`. Its first word must be `word`. */
export function hasPrefixAt(
  table: PrefixTable,
  word: number,
  bytes: Uint8Array,
  offset: number,
): boolean {
  const last = lastOfWord(table, word);
  if (last < 0) return false;
  if (table.prefixBytes === WORD_BYTES) return true;
  checkThere(table.rests[last]);
  // Few prefixes share a first word, unless somebody chose the prefixes for this. Even then, the search is logarithmic.
  let low = table.buckets[word >>> table.shift]!;
  let high = last;
  for (let at = last; low <= high; at = (low + high) >>> 1) {
    const order = hasWordAt(table, at, word) ? compareRest(table, at, bytes, offset) : -1;
    if (order === 0) return true;
    if (order < 0) low = at + 1;
    else high = at - 1;
  }
  return false;
}
