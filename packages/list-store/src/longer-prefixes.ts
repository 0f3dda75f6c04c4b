import { type PrefixList, prefixList } from "@x/prefix-list";
import { firstWords, rawHashesInPart, viewOf, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, fromHex } from "@x/sha256-prefix";
import {
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
import { blocksTo, type KeptVersion, type LoadOptions } from "./snapshot.ts";
import { getObject, hashOf, type Storage } from "./storage.ts";
import { PREFIX_BYTES, type PrefixWords } from "./words.ts";

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
 * @param before the version that the reader keeps, if its prefixes have this length and belong to its entry. Only later
 * blocks are then read, unless there is a newer base and their full hashes are gone.
 * @param blockStorage the storage to read blocks from. They have been read before, so it may remember them.
 */
export async function longerPrefixes(
  manifest: Manifest,
  words: PrefixWords,
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
  let oldest = (before?.prefixes ?? NONE) as PrefixList | Uint8Array;
  if (isWhole) {
    const isBase = newer.length === 0;
    const own = isBase ? words : changeIn((await readBlock(blockStorage, base)).stored).added;
    const hashes = await readHashes(storage, base.hashes);
    oldest = await readStored(storage, hashes, own, prefixBytes);
  }
  const rawHashes = mergeRows(words, newer, oldest, prefixBytes);
  if (isWhole) checkCount(manifest, rawHashes.length / prefixBytes);
  checkWords(rawHashes, prefixBytes, words, manifest);
  if (words.length === 0) return prefixList([], { name, created });
  // Another thread computes the checksum of a long list.
  const checksum = fromHex(await hashOf(rawHashes));
  return prefixList([{ prefixBytes, rawHashes }], { name, created, sha256: () => checksum });
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
  return { links, added: await readStored(storage, hashes, mentions, prefixBytes) };
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
 * The prefixes of full hashes, one for each, made from their rests where possible, or else from the full hashes.
 * `words` are the distinct first four bytes of the full hashes.
 */
async function readStored(
  storage: Storage,
  { count, rests, shards }: BlockHashes,
  words: PrefixWords,
  prefixBytes: number,
): Promise<Uint8Array> {
  if (prefixBytes === LONG_PREFIX_BYTES) return readRests(storage, rests, count, words);
  return concatBytes(await inParallel(shards, (shard) => getShard(storage, shard)));
}

/**
 * The prefixes that begin with one of the words, in ascending order; see {@link hashesWith}. Long lists are merged in
 * parts, because each copy of a list takes much memory.
 */
function mergeRows(
  words: PrefixWords,
  newer: readonly Uint8Array[],
  oldest: PrefixList | Uint8Array,
  prefixBytes: number,
): Uint8Array {
  const isList = "tables" in oldest;
  const bytes = isList ? oldest.size * prefixBytes : oldest.length;
  const bits = newer.length === 0 ? 0 : shardBits(bytes / prefixBytes);
  const partOf = (part: number) => {
    const last = isList
      ? (rawHashesInPart(oldest, part, bits)[0]?.rawHashes ?? NONE)
      : shardIn(oldest, part, bits, prefixBytes);
    const parts = newer.map((rows) => shardIn(rows, part, bits, prefixBytes));
    return hashesWith(words, [...parts, last], prefixBytes);
  };
  if (bits === 0) return partOf(0);
  const merged = new Uint8Array(newer.reduce((sum, { length }) => sum + length, bytes));
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
 * Reads the prefixes of eight bytes of `count` full hashes, one for each, in ascending order. `words` are the distinct
 * first four bytes of the full hashes.
 *
 * @throws {StoreError} `damaged` when the object does not belong to these words.
 */
export async function readRests(
  storage: Storage,
  object: string,
  count: number,
  words: PrefixWords,
): Promise<Uint8Array> {
  const bytes = await getObject(storage, object, PREFIX_BYTES * (count + 1) + REST_BYTES * count);
  const damaged = new StoreError(
    "damaged",
    `The object ${object} is damaged: it does not have the rests of these prefixes`,
  );
  const view = viewOf(bytes);
  const start = bytes.length - REST_BYTES * count;
  if (start < PREFIX_BYTES || start !== PREFIX_BYTES * (view.getUint32(0) + 1)) throw damaged;
  const prefixes = new Uint8Array(count * LONG_PREFIX_BYTES);
  const prefixesView = viewOf(prefixes);
  let nextWord = 0;
  let nextRepeat = PREFIX_BYTES;
  for (let i = 0; i < count; i++) {
    if (nextRepeat < start && view.getUint32(nextRepeat) === i) nextRepeat += PREFIX_BYTES;
    else nextWord++;
    if (nextWord === 0 || nextWord > words.length) throw damaged;
    prefixesView.setUint32(i * LONG_PREFIX_BYTES, words[nextWord - 1]!);
    const from = start + i * REST_BYTES;
    prefixes.set(bytes.subarray(from, from + REST_BYTES), i * LONG_PREFIX_BYTES + PREFIX_BYTES);
  }
  if (nextWord !== words.length || nextRepeat !== start) throw damaged;
  return prefixes;
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
