import { HALF_BITS, type PrefixTable } from "../table/table.ts";
import { checkLayout, type PrefixList } from "./prefix-list.ts";

/**
 * A set of bits in front of some lists. For nearly every hash that is not listed, it shows that no look-up is needed.
 * It takes about a byte per prefix, so it stays in the processor's cache where the lists do not.
 *
 * It is a Bloom filter. The most significant bits of a hash's first word choose one of many groups of 32 bits; the
 * least significant ones choose bits of the group, which are 1 if the word is that of a prefix.
 */
export interface PrefixBitmap {
  /** How far a first word is shifted to the right to give the index of its group. */
  readonly shift: number;
  readonly groups: Int32Array;
}

const WORD_BITS = 32;
/** With 8, about one hash in thirty that is not listed has all its bits set, and is looked up in vain. */
const BITS_PER_PREFIX = 8;

/**
 * Makes the bitmap of all prefixes in some lists. It has 6 to 11 bits per prefix.
 *
 * @throws {PrefixListError} `layout-unsupported` when a list has another layout.
 * @throws {TypeError} when one of `lists` is not a list, or its buffers were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { maybeListed, prefixBitmap } from "@x/prefix-list/search";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)]);
 * const words = Uint32Array.of(0x00112233, 0xba7816bf);
 * const found = new Uint32Array(2);
 * maybeListed(prefixBitmap([list]), words, 2, found); // → 1
 * found[0]; // → 1
 * ```
 */
export function prefixBitmap(lists: readonly PrefixList[]): PrefixBitmap {
  let size = 0;
  for (const list of lists) {
    checkLayout(list);
    size += list.size;
  }
  const wanted = Math.round(Math.log2((size * BITS_PER_PREFIX) / WORD_BITS));
  // A shift by 32 would be a shift by 0.
  const indexBits = Math.max(1, wanted);
  const bitmap = { shift: WORD_BITS - indexBits, groups: new Int32Array(2 ** indexBits) };
  for (const { tables } of lists) for (const table of tables) addTable(bitmap, table);
  return bitmap;
}

/** Sets the bits of a table's first words. */
function addTable(bitmap: PrefixBitmap, { buckets, halves, words }: PrefixTable): void {
  for (let i = 0; i < words.length; i++) addWord(bitmap, words[i]!);
  if (halves.length === 0) return;
  for (let bucket = 0; bucket < buckets.length - 1; bucket++) {
    const end = buckets[bucket + 1]!;
    for (let i = buckets[bucket]!; i < end; i++) {
      addWord(bitmap, (bucket << HALF_BITS) | halves[i]!);
    }
  }
}

function addWord({ shift, groups }: PrefixBitmap, word: number): void {
  groups[word >>> shift]! |= bitsOf(word);
}

/** The bits of a word in its group. A shift counts modulo 32. */
function bitsOf(word: number): number {
  return (1 << word) | (1 << (word >>> 5)) | (1 << (word >>> 10));
}

/**
 * Writes the indices `i` below `count` for which `words[i]` may be the first four bytes of a listed hash into `found`, in
 * their order, and returns how many they are. No list has a prefix of the others.
 *
 * `found` needs room for `count` numbers. Call `longestMatch` for what is found.
 */
export function maybeListed(
  { shift, groups }: PrefixBitmap,
  words: Uint32Array,
  count: number,
  found: Uint32Array,
): number {
  let next = 0;
  for (let i = 0; i < count; i++) {
    const word = words[i]! | 0;
    const missing = bitsOf(word) & ~groups[word >>> shift]!;
    // Without a branch, because the processor would have to load the group before it knew which way to go.
    found[next] = i;
    next += 1 - ((missing | -missing) >>> 31);
  }
  return next;
}
