import { type HashPrefix, isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { checkBytes } from "./limits.ts";
import { checkLayout, HALF_BITS, type PrefixList, type PrefixTable } from "./prefix-list.ts";
import { WORD_BYTES, wordAt } from "./raw-hashes/raw-hashes.ts";

/**
 * Returns a copy of the longest prefix in the list that the hash begins with, or `null` when there is none.
 *
 * If `hash` has fewer than 32 bytes, prefixes longer than `hash` cannot match.
 *
 * @throws {PrefixListError} `layout-unsupported` when a version of this package with another layout made the list.
 * @throws {TypeError} when `hash` is not a `Uint8Array` (for example, a hash in hexadecimal), or `list` is not a list.
 * @example
 * ```ts
 * import { lookupPrefix, prefixList } from "@x/prefix-list";
 * import { fullHash, toHex } from "@x/sha256-prefix";
 *
 * const list = prefixList([fullHash("b.example/")], { prefixBytes: 4 });
 * const found = lookupPrefix(list, fullHash("b.example/"));
 * found && toHex(found); // → "f8a16db6"
 * lookupPrefix(list, fullHash("c.example/")); // → null
 * ```
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export function lookupPrefix(list: PrefixList, hash: Uint8Array): HashPrefix | null {
  checkLayout(list);
  checkBytes("hash", hash);
  const length = longestMatch(list, hash);
  return length === 0 ? null : new Uint8Array(hash.subarray(0, length));
}

/**
 * Returns the length in bytes of the longest prefix in the list that the bytes at `offset` begin with, or 0 when there
 * is none.
 *
 * The function allocates nothing and does not check the layout of the list, so that you can look up millions of hashes
 * in one buffer in a loop. Call {@link checkLayout} once before the loop. If fewer than 32 bytes follow, only prefixes
 * of at most that many bytes can match.
 *
 * @throws {RangeError} when `offset` is not a whole number from 0 to the length of `bytes`.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`, when `offset` is not a number, or when the list's buffers
 * were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { longestMatch } from "@x/prefix-list/search";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const hash = fullHash("a.example/");
 * const list = prefixList([hash.subarray(0, 4), hash.subarray(0, 9)], { name: "malware" });
 * longestMatch(list, hash); // → 9
 * longestMatch(list, fullHash("b.example/")); // → 0
 * ```
 */
export function longestMatch(list: PrefixList, bytes: Uint8Array, offset: number = 0): number {
  // Anything but a `Uint8Array`, such as a hash in hexadecimal, would match nothing. `instanceof` is tried first
  // because it costs no time, but it is false for a `Uint8Array` of another realm.
  if (!(bytes instanceof Uint8Array || isUint8Array(bytes))) {
    throw typeError("bytes", "a Uint8Array", bytes);
  }
  if (typeof offset !== "number") throw typeError("offset", "a number", offset);
  const available = bytes.length - offset;
  if (!(available >= 0) || offset >>> 0 !== offset) {
    throw new RangeError(`offset must be a whole number from 0 to ${bytes.length}, not ${offset}`);
  }
  if (available < WORD_BYTES) {
    checkBytes("bytes", bytes);
    return 0;
  }
  const word = wordAt(bytes, offset);
  const { tables } = list;
  for (let i = tables.length - 1; i >= 0; i--) {
    const table = tables[i]!;
    if (table.prefixBytes <= available && hasPrefixAt(table, word, bytes, offset)) {
      return table.prefixBytes;
    }
  }
  return 0;
}

/**
 * Returns whether any prefix in the list begins with the four bytes that `word` stands for, the most significant byte
 * first. `false` means that the list has no prefix of any hash that begins with these bytes.
 *
 * Use `mayMatch` in loops that already have the first word of each hash. In a list of 4-byte prefixes, `true` is a
 * match. In other lists, call {@link longestMatch} next. A negative number stands for the same 32 bits. The layout of
 * the list is not checked: call {@link checkLayout} once before the loop.
 *
 * @throws {TypeError} when `word` is not a number, or the list's buffers were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { mayMatch } from "@x/prefix-list/search";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware" });
 * mayMatch(list, 0xba7816bf); // → true
 * mayMatch(list, 0xba7816be); // → false
 * ```
 */
export function mayMatch(list: PrefixList, word: number): boolean {
  if (typeof word !== "number") throw typeError("word", "a number", word);
  const { tables } = list;
  for (let i = 0; i < tables.length; i++) {
    if (lastOfWord(tables[i]!, word >>> 0) >= 0) return true;
  }
  return false;
}

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
function lastOfWord(table: PrefixTable, word: number): number {
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
function hasPrefixAt(table: PrefixTable, word: number, bytes: Uint8Array, offset: number): boolean {
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
