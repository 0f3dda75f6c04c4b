import { checkLayout, HALF_BITS, type PrefixList, type PrefixTable } from "./prefix-list.ts";

/**
 * A Bloom filter for the prefixes of one or more lists. For most hashes that are not listed, the filter shows that no
 * lookup is needed. The filter takes only about a byte per prefix, so it fits into the processor's caches better than
 * the lists do.
 *
 * The filter consists of lines of 64 bytes. The processor loads a line from memory as a whole. The most significant
 * bits of a hash's first word choose a line. The first word also chooses two words of the line and two bits in each.
 * All four bits are 1 if a prefix has the same first word.
 */
export interface PrefixBloomFilter {
  /** The number of bits by which a first word is shifted to the right to give the index of its line. */
  readonly shift: number;
  /** The lines, of sixteen words each. */
  readonly lines: Int32Array;
}

const WORD_BITS = 32;
const LINE_WORDS = 16;
/** With 8 bits per prefix, about one unlisted hash in thirty has all its bits set and is looked up unnecessarily. */
const BITS_PER_PREFIX = 8;

/**
 * Makes a Bloom filter for all prefixes in `lists`, in steps of about `prefixesPerStep` prefixes, and returns it
 * after the last step. Unless the lists are very short, the filter has 6 to 11 bits per prefix.
 *
 * @throws {PrefixListError} `layout-unsupported`, in the first step, when a list has another layout.
 * @throws {TypeError} when one of `lists` is not a list, or its buffers were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { maybeListed, prefixBloomFilterInSteps } from "@x/prefix-list/search";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)]);
 * const steps = prefixBloomFilterInSteps([list], 2 ** 16);
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * const words = Uint32Array.of(0x00112233, 0xba7816bf);
 * const found = new Uint32Array(2);
 * maybeListed(step.value, words, 2, found); // → 1
 * found[0]; // → 1
 * ```
 */
export function* prefixBloomFilterInSteps(
  lists: readonly PrefixList[],
  prefixesPerStep: number,
): Generator<void, PrefixBloomFilter, undefined> {
  let size = 0;
  for (const list of lists) {
    checkLayout(list);
    size += list.size;
  }
  const wanted = Math.round(Math.log2((size * BITS_PER_PREFIX) / (LINE_WORDS * WORD_BITS)));
  // At least one bit is used, because a shift by 32 would be a shift by 0.
  const indexBits = Math.max(1, wanted);
  const lines = new Int32Array(LINE_WORDS * 2 ** indexBits);
  const filter = { shift: WORD_BITS - indexBits, lines };
  for (const list of lists) {
    for (const table of list.tables) {
      const { buckets, halves, words } = table;
      for (let from = 0; from < words.length; from += prefixesPerStep) {
        const end = Math.min(words.length, from + prefixesPerStep);
        for (let i = from; i < end; i++) addWord(filter, words[i]!);
        yield;
        // The buffers may have been transferred since the last step. The list would then seem to have no prefixes.
        checkLayout(list);
      }
      if (halves.length === 0) continue;
      let first = 0;
      while (first < buckets.length - 1) {
        first = addBuckets(filter, table, first, prefixesPerStep);
        yield;
        checkLayout(list);
      }
    }
  }
  return filter;
}

/**
 * Adds the prefixes of whole buckets, from bucket `first` on, until at least `enough` have been added or the table
 * ends. Returns the next bucket.
 */
function addBuckets(
  filter: PrefixBloomFilter,
  { buckets, halves }: PrefixTable,
  first: number,
  enough: number,
): number {
  const last = buckets[first]! + enough;
  let bucket = first;
  for (; bucket < buckets.length - 1 && buckets[bucket]! < last; bucket++) {
    const end = buckets[bucket + 1]!;
    for (let i = buckets[bucket]!; i < end; i++) {
      addWord(filter, (bucket << HALF_BITS) | halves[i]!);
    }
  }
  return bucket;
}

function addWord({ shift, lines }: PrefixBloomFilter, word: number): void {
  const line = (word >>> shift) * LINE_WORDS;
  const other = otherBits(word);
  lines[line + indexInLine(word)]! |= maskOf(word);
  lines[line + indexInLine(other)]! |= maskOf(other);
}

/** Fourteen bits that depend on all bits of a first word. */
function otherBits(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 18;
}

/** The index of a word in its line, from the lowest four bits. */
function indexInLine(bits: number): number {
  return bits & (LINE_WORDS - 1);
}

/**
 * A mask of two bits. Each of the two is chosen by five of the ten bits above the lowest four, because shift counts are
 * modulo 32.
 */
function maskOf(bits: number): number {
  return (1 << (bits >>> 4)) | (1 << (bits >>> 9));
}

/** 1 if both bits of `maskOf(bits)` are set in a word of a line, 0 if not. */
function areSet(lineWord: number, bits: number): number {
  return (lineWord >>> (bits >>> 4)) & (lineWord >>> (bits >>> 9)) & 1;
}

/**
 * Finds the indices `i` below `count` for which `words[i]` may be the first four bytes of a listed hash, writes them
 * into `found` in ascending order, and returns the number of these indices. The other hashes do not match any of the
 * lists.
 *
 * `found` needs room for `count` numbers. Call `longestMatch` for the hashes that were found.
 *
 * @throws {RangeError} when `count` is negative or greater than the length of `words` or `found`.
 * @throws {TypeError} when the buffer of the Bloom filter was transferred.
 */
export function maybeListed(
  { shift, lines }: PrefixBloomFilter,
  words: Uint32Array,
  count: number,
  found: Uint32Array,
): number {
  // With a larger count, a listed hash could seem unlisted, because reads beyond the end of an array count as 0.
  const most = Math.min(words.length, found.length);
  if (!(count >= 0 && count <= most)) {
    throw new RangeError(`count must be a number from 0 to ${most}, not ${count}`);
  }
  if (lines.length === 0) throw new TypeError("the buffer of the Bloom filter was transferred");
  // No branch depends on the loaded data: the processor would often mispredict such a branch and load the next line too
  // late.
  let some = 0;
  for (let i = 0; i < count; i++) {
    const word = words[i]! | 0;
    const line = (word >>> shift) * LINE_WORDS;
    found[some] = i;
    some += areSet(lines[line + indexInLine(word)]!, word);
  }
  let next = 0;
  for (let j = 0; j < some; j++) {
    const i = found[j]!;
    const word = words[i]! | 0;
    const line = (word >>> shift) * LINE_WORDS;
    const other = otherBits(word);
    found[next] = i;
    next += areSet(lines[line + indexInLine(other)]!, other);
  }
  return next;
}
