import { type PrefixList, prefixList } from "@x/prefix-list";
import { firstWords, rawHashesInPart, viewOf, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, fromHex } from "@x/sha256-prefix";
import {
  type Base,
  type BlockLink,
  changeIn,
  checkAddsNothing,
  readBlock,
  type WrittenLink,
  walkBack,
} from "./block.ts";
import { concatBytes } from "./bytes.ts";
import { type BlockHashes, checkCount, hashesWith, makeMentions, readHashes } from "./contents.ts";
import { isLost, StoreError } from "./error.ts";
import { getShard, shardBits, shardIn } from "./full-hashes.ts";
import { inParallel } from "./in-parallel.ts";
import type { Manifest } from "./manifest.ts";
import { blocksTo, type KeptVersion, type LoadOptions, type WordsWithBase } from "./snapshot.ts";
import { getObject, hashOf, type Storage } from "./storage.ts";
import { countBelow, PREFIX_BYTES, type PrefixWords } from "./words.ts";

/*
 * Readers that keep prefixes of eight bytes also read rests. A rest is the fifth to the eighth byte of a full hash. The
 * first four bytes are known from the blocks.
 */

/** The length in bytes of the prefixes that can be read from rests. */
export const LONG_PREFIX_BYTES = 8;
const REST_BYTES = LONG_PREFIX_BYTES - PREFIX_BYTES;

/**
 * The prefixes of a version with 8 bytes, or its full hashes.
 *
 * @param words the first four bytes of the prefixes, which the publisher has signed.
 * @param baseWords those of the base, if they are known.
 * @param before the version that the reader keeps, if its prefixes have this length and belong to its entry. Only later
 * blocks are then read, unless there is a newer base and their full hashes are gone.
 * @param blockStorage the storage to read blocks from. They have been read before, so it may remember them.
 */
export async function longerPrefixes(
  manifest: Manifest,
  { words, baseWords }: WordsWithBase,
  before: KeptVersion | null,
  { storage, prefixBytes = LONG_PREFIX_BYTES }: LoadOptions,
  blockStorage: Storage,
): Promise<PrefixList> {
  const { list: name, issued: created, base } = manifest;
  const known = before?.entry.manifest ?? null;
  if (known?.contents.entries === manifest.contents.entries) return before!.prefixes;
  const read = (link: WrittenLink) => readAdded(storage, blockStorage, link, prefixBytes);
  const passed =
    known === null || known.version >= base.version
      ? null
      : await passBase(manifest, known.version, read);
  const isWhole = passed === null && (known === null || known.version < base.version);
  const until = isWhole ? base.version : known!.version;
  // Blocks that lead to a base may also cover versions that the reader has. The store may not have other full hashes.
  const blocks = passed ?? (await blocksTo(manifest, read, until));
  const newer = blocks.map(({ block }) => block.added);
  const oldest = isWhole
    ? await rowsOfBase(storage, blockStorage, base, baseWords, prefixBytes)
    : rowsOfList(before!.prefixes);
  const rawHashes = mergeRows(words, newer, oldest, prefixBytes);
  if (isWhole) checkCount(manifest, rawHashes.length / prefixBytes);
  checkWords(rawHashes, prefixBytes, words, manifest);
  if (words.length === 0) return prefixList([], { name, created });
  // Another thread computes the checksum of a long list. Memory that is not needed any more can be freed meanwhile.
  const checksum = fromHex(await hashOf(rawHashes));
  return prefixList([{ prefixBytes, rawHashes }], { name, created, sha256: () => checksum });
}

/** Longer prefixes of a list in ascending order, which are needed only once. */
interface Rows {
  readonly count: number;
  /** Those whose first `bits` bits are `part`. Call this function for each part, in ascending order. */
  partOf(part: number, bits: number): Uint8Array;
}

function rowsOfList(list: PrefixList): Rows {
  const partOf = (part: number, bits: number) =>
    rawHashesInPart(list, part, bits)[0]?.rawHashes ?? NONE;
  return { count: list.size, partOf };
}

async function rowsOfBase(
  storage: Storage,
  blockStorage: Storage,
  base: Base,
  words: PrefixWords | undefined,
  prefixBytes: number,
): Promise<Rows> {
  const own = words ?? changeIn((await readBlock(blockStorage, base)).stored).added;
  return readStored(storage, await readHashes(storage, base.hashes), own, prefixBytes);
}

/** A block, with the longer prefixes of the full hashes that it has. */
interface AddedBlock {
  readonly links: readonly BlockLink[];
  readonly added: Uint8Array;
}

const NONE: Uint8Array = new Uint8Array(0);

async function readAdded(
  storage: Storage,
  blockStorage: Storage,
  link: WrittenLink,
  prefixBytes: number,
): Promise<AddedBlock> {
  const { stored, links } = await readBlock(blockStorage, link);
  if (link.hashes === null) {
    checkAddsNothing(stored);
    return { links, added: NONE };
  }
  const hashes = await readHashes(storage, link.hashes);
  const mentions = makeMentions({ block: stored, others: hashes.others });
  const rows = await readStored(storage, hashes, mentions, prefixBytes);
  return { links, added: rows.partOf(0, 0) };
}

/**
 * The blocks since a version before the base, the newest first; `null` if the full hashes of a block are
 * gone. Of the blocks that begin before a base, only the shortest ones have full hashes.
 */
async function passBase(
  manifest: Manifest,
  since: number,
  read: (link: WrittenLink) => Promise<AddedBlock>,
) {
  try {
    return await walkBack(manifest, since, read);
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}

/**
 * The prefixes of full hashes, one for each, made from their rests where possible, or else from the full hashes. `words`
 * are the distinct first four bytes of the full hashes.
 */
async function readStored(
  storage: Storage,
  { count, rests, shards }: BlockHashes,
  words: PrefixWords,
  prefixBytes: number,
): Promise<Rows> {
  if (prefixBytes === LONG_PREFIX_BYTES) return readRests(storage, rests, count, words);
  const bytes = concatBytes(await inParallel(shards, (shard) => getShard(storage, shard)));
  return {
    count: bytes.length / FULL_HASH_BYTES,
    partOf: (part, bits) => shardIn(bytes, part, bits),
  };
}

/**
 * The prefixes that begin with one of the words, in ascending order; see {@link hashesWith}. Long lists are merged in
 * parts, because each copy of a list takes much memory.
 */
function mergeRows(
  words: PrefixWords,
  newer: readonly Uint8Array[],
  oldest: Rows,
  prefixBytes: number,
): Uint8Array {
  const bits = newer.length === 0 ? 0 : shardBits(oldest.count);
  const partOf = (part: number) => {
    const parts = newer.map((rows) => shardIn(rows, part, bits, prefixBytes));
    return hashesWith(words, [...parts, oldest.partOf(part, bits)], prefixBytes);
  };
  if (bits === 0) return partOf(0);
  const most = newer.reduce((sum, { length }) => sum + length, oldest.count * prefixBytes);
  const merged = new Uint8Array(most);
  let used = 0;
  for (let part = 0; part < 2 ** bits; part++) {
    const rows = partOf(part);
    merged.set(rows, used);
    used += rows.length;
  }
  return merged.subarray(0, used);
}

/** Throws unless the prefixes begin with exactly these words. */
function checkWords(
  rawHashes: Uint8Array,
  prefixBytes: number,
  words: PrefixWords,
  { list, version }: Manifest,
): void {
  let next = 0;
  let areSame = true;
  for (let at = 0; at < rawHashes.length && areSame; at += prefixBytes) {
    const word = wordAt(rawHashes, at);
    if (next === 0 || word !== words[next - 1]) areSame = word === words[next++];
  }
  if (areSame && next === words.length) return;
  throw new StoreError(
    "damaged",
    `The longer prefixes of version ${version} of ${list} do not begin like those that were signed`,
  );
}

/**
 * Reads the prefixes of eight bytes of `count` full hashes, one for each. `words` are the distinct first four bytes of
 * the full hashes.
 *
 * @throws {StoreError} `damaged` when the object does not belong to these words; from `partOf`, too.
 */
export async function readRests(
  storage: Storage,
  object: string,
  count: number,
  words: PrefixWords,
): Promise<Rows> {
  const bytes = await getObject(storage, object, PREFIX_BYTES * (count + 1) + REST_BYTES * count);
  const damaged = new StoreError(
    "damaged",
    `The object ${object} is damaged: it does not have the rest of these prefixes`,
  );
  const view = viewOf(bytes);
  const start = bytes.length - REST_BYTES * count;
  if (start < PREFIX_BYTES || start !== PREFIX_BYTES * (view.getUint32(0) + 1)) throw damaged;
  // The place of the next prefix.
  let index = 0;
  let nextWord = 0;
  let nextRepeat = PREFIX_BYTES;
  const isRepeat = (at: number, index: number) => at < start && view.getUint32(at) === index;

  /** The number of prefixes that begin with the words before the one at index `end`. */
  function countBefore(end: number): number {
    let [row, word, repeat] = [index, nextWord, nextRepeat];
    for (; row < count; row++) {
      if (isRepeat(repeat, row)) repeat += PREFIX_BYTES;
      else if (word++ === end) break;
    }
    return row - index;
  }

  function partOf(part: number, bits: number): Uint8Array {
    const isLast = part === 2 ** bits - 1;
    const end = isLast ? words.length : countBelow(words, (part + 1) * 2 ** (32 - bits));
    const prefixes = new Uint8Array(countBefore(end) * LONG_PREFIX_BYTES);
    const prefixesView = viewOf(prefixes);
    for (let to = 0; to < prefixes.length; to += LONG_PREFIX_BYTES) {
      if (isRepeat(nextRepeat, index)) nextRepeat += PREFIX_BYTES;
      else nextWord++;
      if (nextWord === 0) throw damaged;
      prefixesView.setUint32(to, words[nextWord - 1]!);
      const from = start + index++ * REST_BYTES;
      prefixes.set(bytes.subarray(from, from + REST_BYTES), to + PREFIX_BYTES);
    }
    const isComplete = index === count && nextWord === words.length && nextRepeat === start;
    if (isLast && !isComplete) throw damaged;
    return prefixes;
  }

  return { count, partOf };
}

/** Collects the rests of full hashes that are read for another purpose. */
interface RestsCollector {
  /** Passes on chunks of ascending full hashes. */
  passOn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  /** The bytes of the object. Call this function after all chunks have been passed on. */
  object(): Uint8Array;
}

export function collectRests(count: number): RestsCollector {
  const rests = new Uint8Array(REST_BYTES * count);
  const repeats: number[] = [];
  let used = 0;
  let last = -1;

  function add(chunk: Uint8Array): void {
    const words = firstWords({ prefixBytes: FULL_HASH_BYTES, rawHashes: chunk });
    for (let i = 0; i < words.length; i++) {
      if (words[i] === last) repeats.push(used + i);
      last = words[i]!;
      const from = i * FULL_HASH_BYTES + PREFIX_BYTES;
      const to = (used + i) * REST_BYTES;
      for (let k = 0; k < REST_BYTES; k++) rests[to + k] = chunk[from + k]!;
    }
    used += words.length;
  }

  return {
    async *passOn(chunks) {
      for await (const chunk of chunks) {
        add(chunk);
        yield chunk;
      }
    },
    object() {
      const head = new Uint8Array((repeats.length + 1) * PREFIX_BYTES);
      const view = viewOf(head);
      view.setUint32(0, repeats.length);
      for (const [i, index] of repeats.entries()) view.setUint32((i + 1) * PREFIX_BYTES, index);
      return concatBytes([head, rests]);
    },
  };
}
