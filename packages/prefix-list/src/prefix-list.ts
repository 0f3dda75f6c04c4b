import type { HashPrefix } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { PrefixListError } from "./error.ts";
import { hasOwn } from "./limits.ts";
import {
  compareBytes,
  countOf,
  mergedOrder,
  type PrefixLength,
  putRests,
  type RawHashes,
  restsOf,
  viewOf,
  WORD_BYTES,
} from "./raw-hashes/raw-hashes.ts";

/** The layout of the tables that this version writes and reads. */
const LAYOUT = "tables-1";

/**
 * An immutable set of hash prefixes of 4 to 32 bytes, with a name, a time and a checksum. Lengths may be mixed.
 *
 * A list is plain data: you can send it to a worker directly or, after {@link sharePrefixList}, without a copy.
 */
export interface PrefixList {
  /** The layout of the tables. The functions of the main entry refuse a list with another layout. */
  readonly layout: "tables-1";
  /** The list's name, for people and for verdicts, which is any text of at most 65 535 bytes in UTF-8. */
  readonly name: string;
  /** The time of the contents, in whole milliseconds since 1970-01-01T00:00Z. */
  readonly created: number;
  /** The number of prefixes. */
  readonly size: number;
  /** The SHA-256 of all the prefixes in ascending order, one after the other, in lower-case hex. */
  readonly checksum: string;
  /** The prefix lengths, the shortest first, and how many prefixes have each. */
  readonly lengths: readonly PrefixLength[];
  /** The prefixes, as a table for each length, the shortest first. */
  readonly tables: readonly PrefixTable[];
}

/** Makes a list of sorted prefixes without duplicates, one group for each length, the shortest first. */
export function listOfSorted(
  groups: readonly RawHashes[],
  facts: { readonly name: string; readonly created: number; readonly checksum: string },
): PrefixList {
  const { name, created, checksum } = facts;
  const lengths = groups.map((group) => ({
    prefixBytes: group.prefixBytes,
    count: countOf(group),
  }));
  const size = lengths.reduce((sum, { count }) => sum + count, 0);
  return { layout: LAYOUT, name, created, size, checksum, lengths, tables: groups.map(tableOf) };
}

/**
 * Throws unless `list` is a `PrefixList` that this version can read.
 *
 * All functions of the main entry check their lists themselves. `longestMatch` and `mayMatch` do not check their lists:
 * call `checkLayout` once for each list before you call them in a loop.
 *
 * @param argument The name of the list in the error.
 * @throws {PrefixListError} `layout-unsupported` when the list comes from a version of this package that lays
 * out tables differently.
 * @throws {TypeError} when `list` is not a list, or its buffers were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { checkLayout } from "@x/prefix-list/search";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware" });
 * checkLayout(list);
 * checkLayout({ ...list, layout: "tables-2" }); // throws layout-unsupported
 * ```
 */
export function checkLayout(list: unknown, argument: string = "list"): asserts list is PrefixList {
  if (!hasOwn(list, "layout", "tables") || typeof list.layout !== "string") {
    throw typeError(argument, "a PrefixList", list);
  }
  if (list.layout !== LAYOUT) {
    const message = `${argument} has the layout ${JSON.stringify(list.layout.slice(0, 40))}`;
    throw new PrefixListError("layout-unsupported", message);
  }
  if (!Array.isArray(list.tables)) throw typeError(argument, "a PrefixList", list);
  if (!list.tables.every(isTable) || !list.tables.every(isWhole)) {
    throw new TypeError(
      `${argument} must be a complete PrefixList; its buffers may have been transferred`,
    );
  }
}

function isTable(table: unknown): table is PrefixTable {
  return hasOwn(table, "prefixBytes", "size", "shift", "buckets", "halves", "words", "rests");
}

/**
 * Returns all prefixes of a list as sorted {@link RawHashes}, one for each length, the shortest first.
 *
 * The arrays are copies, so you may change them. `prefixList(rawHashesIn(list), …)` makes a list with the same
 * prefixes.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixList, rawHashesIn } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(2, 0, 0, 0), Uint8Array.of(1, 0, 0, 0)]);
 * rawHashesIn(list); // → [{ prefixBytes: 4, rawHashes: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0) }]
 * ```
 */
export function rawHashesIn(list: PrefixList): RawHashes[] {
  checkLayout(list);
  return list.tables.map((table) => rawHashesOf(table));
}

/**
 * Like {@link rawHashesIn}, for the prefixes whose `bits` most significant bits, at most 16, are `part`. To go over a
 * long list part by part takes little memory.
 */
export function rawHashesInPart(list: PrefixList, part: number, bits: number): RawHashes[] {
  checkLayout(list);
  const words = 2 ** (WORD_BITS - bits);
  return list.tables.map((table) =>
    rawHashesOf(table, indexOfWord(table, part * words), indexOfWord(table, (part + 1) * words)),
  );
}

/** The index of the first prefix whose first word is at least `word`, up to 2 to the power of 32. */
function indexOfWord({ size, shift, buckets, words }: PrefixTable, word: number): number {
  if (word === 2 ** WORD_BITS) return size;
  let index = buckets[word >>> shift]!;
  // The buckets of large tables are not larger than a part.
  while (index < words.length && words[index]! < word) index++;
  return index;
}

/**
 * Yields copies of the prefixes of a list, in ascending order.
 *
 * A prefix comes before the longer ones that begin with it. For millions of prefixes, {@link rawHashesIn} is faster.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixes, prefixList } from "@x/prefix-list";
 * import { toHex } from "@x/sha256-prefix";
 *
 * const list = prefixList([Uint8Array.of(2, 0, 0, 0), Uint8Array.of(1, 0, 0, 0, 9)]);
 * [...prefixes(list)].map(toHex); // → ["0100000009", "02000000"]
 * ```
 */
export function* prefixes(list: PrefixList): Generator<HashPrefix, void, undefined> {
  const groups = rawHashesIn(list);
  const next = groups.map(() => 0);
  for (const number of mergedOrder(groups)) {
    const { prefixBytes, rawHashes } = groups[number]!;
    const at = next[number]!;
    next[number] = at + prefixBytes;
    yield new Uint8Array(rawHashes.subarray(at, at + prefixBytes));
  }
}

function sharedBuffer(view: ArrayBufferView): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(view.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return buffer;
}

/**
 * Returns the same list in shared memory. When you send the shared list to a worker, its prefixes are not copied.
 *
 * The given list does not change. Nothing in this package writes to a list, and your code should not either.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {ReferenceError} where there is no `SharedArrayBuffer`, such as on pages that are not cross-origin isolated.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixList, sharePrefixList } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware", created: 0 });
 * const shared = sharePrefixList(list); // worker.postMessage(shared) copies no prefixes
 * shared.tables[0]?.buckets.buffer instanceof SharedArrayBuffer; // → true
 * ```
 */
export function sharePrefixList(list: PrefixList): PrefixList {
  checkLayout(list);
  return {
    ...list,
    tables: list.tables.map((table) => ({
      ...table,
      buckets: new Uint32Array(sharedBuffer(table.buckets)),
      halves: new Uint16Array(sharedBuffer(table.halves)),
      words: new Uint32Array(sharedBuffer(table.words)),
      rests: new Uint8Array(sharedBuffer(table.rests)),
    })),
  };
}

/**
 * The prefixes of one length, in a form made for searching. The fields may change with any version, so read lists with
 * the functions of this package.
 *
 * The prefixes are sorted and grouped into buckets by the most significant bits of their first words (their first four
 * bytes as a number). A large table has a bucket for each value of the upper 16 bits, and keeps only the lower 16 bits
 * of each first word.
 */
export interface PrefixTable {
  /** The prefix length in bytes. */
  readonly prefixBytes: number;
  /** The number of prefixes. */
  readonly size: number;
  /** The number of bits by which a first word is shifted to the right to give its bucket. */
  readonly shift: number;
  /** The index at which each bucket begins and, as the last element, the index at which the last bucket ends. */
  readonly buckets: Uint32Array;
  /** The lower halves of the first words. Empty in a small table. */
  readonly halves: Uint16Array;
  /** The first words. Empty in a large table. */
  readonly words: Uint32Array;
  /** For each prefix, the bytes after the first four. */
  readonly rests: Uint8Array;
}

/** In smaller tables, 4 bytes per word and few buckets take less memory than 2 bytes and 65 536 buckets. */
const LARGE_TABLE_SIZE = 2 ** 17;
/** A large table splits each first word into two halves. The upper half is the index of its bucket. */
export const HALF_BITS = 16;
const WORD_BITS = 32;
/**
 * In a small table, buckets hold 8 to 16 prefixes on average, so that they add at most about half a byte per prefix.
 */
const SMALL_BUCKET_BITS = 3;

function bucketBits(size: number): number {
  if (size >= LARGE_TABLE_SIZE) return HALF_BITS;
  return Math.max(1, Math.floor(Math.log2(size)) - SMALL_BUCKET_BITS);
}

/** The number of bits by which first words are shifted in a table of this size. */
export function shiftFor(size: number): number {
  return WORD_BITS - bucketBits(size);
}

type ArrayName = "buckets" | "halves" | "words" | "rests";

/** The lengths of the arrays of a table. */
export function arrayLengths({
  prefixBytes,
  size,
  shift,
}: Omit<PrefixTable, ArrayName>): Record<ArrayName, number> {
  const large = shift === HALF_BITS;
  return {
    buckets: 2 ** (WORD_BITS - shift) + 1,
    halves: large ? size : 0,
    words: large ? 0 : size,
    rests: size * (prefixBytes - WORD_BYTES),
  };
}

/** Makes the table of sorted prefixes without duplicates. */
function tableOf(group: RawHashes): PrefixTable {
  const { prefixBytes, rawHashes } = group;
  const size = countOf(group);
  const shift = shiftFor(size);
  const lengths = arrayLengths({ prefixBytes, size, shift });
  const buckets = new Uint32Array(lengths.buckets);
  const halves = new Uint16Array(lengths.halves);
  const words = new Uint32Array(lengths.words);
  const large = halves.length > 0;
  const view = viewOf(rawHashes);
  for (let i = 0; i < size; i++) {
    const word = view.getUint32(i * prefixBytes);
    buckets[(word >>> shift) + 1]!++;
    if (large) halves[i] = word;
    else words[i] = word;
  }
  for (let i = 1; i < buckets.length; i++) buckets[i]! += buckets[i - 1]!;
  return { prefixBytes, size, shift, buckets, halves, words, rests: restsOf(group) };
}

/** A copy of the sorted prefixes of a table from one index to another, one after the other. */
function rawHashesOf(table: PrefixTable, from: number = 0, end: number = table.size): RawHashes {
  const { prefixBytes, buckets, halves, words, rests } = table;
  const rawHashes = new Uint8Array((end - from) * prefixBytes);
  const view = viewOf(rawHashes);
  let bucket = 0;
  for (let i = from; i < end; i++) {
    while (buckets[bucket + 1]! <= i) bucket++;
    const word = halves.length > 0 ? (bucket << HALF_BITS) | halves[i]! : words[i]!;
    view.setUint32((i - from) * prefixBytes, word);
  }
  const restBytes = prefixBytes - WORD_BYTES;
  putRests({ prefixBytes, rawHashes }, rests.subarray(from * restBytes, end * restBytes));
  return { prefixBytes, rawHashes };
}

/** Whether a table still has all its memory. Its buffers may have been transferred to another thread. */
function isWhole(table: PrefixTable): boolean {
  const { size, buckets, halves, words, rests } = table;
  const lengths = arrayLengths(table);
  return (
    size > 0 &&
    buckets.length === lengths.buckets &&
    halves.length === lengths.halves &&
    words.length === lengths.words &&
    rests.length === lengths.rests
  );
}

/**
 * The index of the first prefix that is in the wrong bucket or does not sort after the one before it, or -1 when there
 * is none.
 */
export function misplacedAt(table: PrefixTable): number {
  const { size, buckets, halves, words } = table;
  const large = halves.length > 0;
  let at = 0;
  for (let bucket = 0; bucket < buckets.length - 1; bucket++) {
    const end = buckets[bucket + 1]!;
    if (buckets[bucket] !== at || end < at || end > size) return at;
    let before = -1;
    for (; at < end; at++) {
      const word = large ? halves[at]! : words[at]!;
      if (!large && word >>> table.shift !== bucket) return at;
      if (word < before || (word === before && !isRestAfter(table, at))) return at;
      before = word;
    }
  }
  return at === size ? -1 : at;
}

/** Whether the bytes after the first four of the prefix at `at` sort after those of the prefix before. */
function isRestAfter({ prefixBytes, rests }: PrefixTable, at: number): boolean {
  const restBytes = prefixBytes - WORD_BYTES;
  const from = at * restBytes;
  return compareBytes(rests, from - restBytes, rests, from, restBytes) < 0;
}
