import { prefixList, rawHashesIn } from "@x/prefix-list";
import { firstWords, viewOf } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  type BlockLink,
  changeIn,
  checkAddsNothing,
  readBlock,
  type WrittenLink,
  walkBack,
} from "./block.ts";
import { concatBytes } from "./bytes.ts";
import { blocksTo, checkCount, hashesWith, makeMentions, readHashes } from "./contents.ts";
import { isLost, StoreError } from "./error.ts";
import { getShard } from "./full-hashes.ts";
import { inParallel } from "./in-parallel.ts";
import type { KeptVersion, LoadedList, LoadOptions } from "./loaded-list.ts";
import type { Manifest } from "./manifest.ts";
import { getObject } from "./objects.ts";
import type { Storage } from "./storage.ts";
import { distinct, PREFIX_BYTES, type PrefixWords } from "./words.ts";

/*
 * Readers that keep prefixes of eight bytes also read rests. A rest is the fifth to the eighth byte of a full hash. The
 * first four bytes are known from the blocks.
 */

/** The length in bytes of the prefixes that can be read from rests. */
export const LONG_PREFIX_BYTES = 8;
const REST_BYTES = LONG_PREFIX_BYTES - PREFIX_BYTES;

/**
 * Replaces the prefixes of a loaded list with longer ones, of 8 bytes, or with the full hashes.
 *
 * @param before the version that the reader keeps, if its prefixes have this length and belong to its entry. Only later
 * blocks are then read, unless there is a newer base and their full hashes are gone.
 */
export async function withLongerPrefixes(
  list: LoadedList,
  before: KeptVersion | null,
  prefixBytes: number,
  { storage, sha256 }: LoadOptions,
): Promise<LoadedList> {
  const { entry, words } = list;
  const { manifest } = entry;
  const known = before?.entry.manifest ?? null;
  if (known?.contents.entries === manifest.contents.entries) {
    return { ...list, prefixes: before!.prefixes };
  }
  const { base } = manifest;
  const read = (link: WrittenLink) => readAdded(storage, link, prefixBytes);
  const passed =
    known === null || known.version >= base.version
      ? null
      : await passBase(manifest, known.version, read);
  const isWhole = passed === null && (known === null || known.version < base.version);
  const until = isWhole ? base.version : known!.version;
  // Blocks that lead to a base may also cover versions that the reader has. The store may not have other full hashes.
  const blocks = passed ?? (await blocksTo(manifest, read, until));
  const parts = blocks.map(({ block }) => block.added);
  if (!isWhole) parts.push(rawHashesIn(before!.prefixes)[0]?.rawHashes ?? NONE);
  else {
    const { added } = changeIn((await readBlock(storage, base)).stored);
    parts.push(await readStored(storage, base.hashes, added, prefixBytes));
  }
  const group = { prefixBytes, rawHashes: hashesWith(words, parts, prefixBytes) };
  if (isWhole) checkCount(manifest, group.rawHashes.length / prefixBytes);
  checkWords(distinct(firstWords(group)), list);
  const { name, created } = list.prefixes;
  const groups = words.length === 0 ? [] : [group];
  return { ...list, prefixes: prefixList(groups, { name, created, sha256 }) };
}

/** A block, with the longer prefixes of the full hashes that it has. */
interface AddedBlock {
  readonly links: readonly BlockLink[];
  readonly added: Uint8Array;
}

const NONE: Uint8Array = new Uint8Array(0);

async function readAdded(
  storage: Storage,
  link: WrittenLink,
  prefixBytes: number,
): Promise<AddedBlock> {
  const { stored, links } = await readBlock(storage, link);
  if (link.hashes === null) {
    checkAddsNothing(stored);
    return { links, added: NONE };
  }
  const { others } = await readHashes(storage, link.hashes);
  const mentions = makeMentions({ block: stored, others });
  return { links, added: await readStored(storage, link.hashes, mentions, prefixBytes) };
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
  object: string,
  words: PrefixWords,
  prefixBytes: number,
): Promise<Uint8Array> {
  const { count, rests, shards } = await readHashes(storage, object);
  if (prefixBytes === LONG_PREFIX_BYTES) return readRests(storage, rests, count, words);
  return concatBytes(await inParallel(shards, (shard) => getShard(storage, shard)));
}

/** Throws unless `found` has the same words as the list, which the publisher has signed. */
function checkWords(found: PrefixWords, { words, entry: { manifest } }: LoadedList): void {
  if (found.length === words.length && found.every((word, i) => word === words[i])) return;
  const { list, version } = manifest;
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
