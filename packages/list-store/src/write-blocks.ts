import { wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  type Base,
  type BlockLink,
  type BlockObjects,
  changeIn,
  encodeBlock,
  isWritten,
  MAX_HISTORY_SPAN,
  passingIn,
  readBlock,
  SPAN,
  type WrittenLink,
} from "./block.ts";
import { concatBytes } from "./bytes.ts";
import { type Change, joinTwo, lengthOfChange } from "./change.ts";
import { encodeHashes, type HashBlock } from "./contents.ts";
import { StoreError } from "./error.ts";
import { type SortedHashes, shardsOf } from "./full-hashes.ts";
import { inParallel } from "./in-parallel.ts";
import { readEntry } from "./log-files.ts";
import { collectRests } from "./longer-prefixes.ts";
import type { LogEntry } from "./manifest.ts";
import type { WriteObject } from "./publisher.ts";
import type { Storage } from "./storage.ts";
import {
  common,
  firstNotBelow,
  NO_WORDS,
  type PrefixWords,
  union,
  WORD_SETS,
  without,
} from "./words.ts";

export const NO_CHANGE: Change<PrefixWords> = { removed: NO_WORDS, added: NO_WORDS };

/** The entries of a new version, and the places of the full hashes of the version before it. */
export interface NewList {
  readonly words: PrefixWords;
  readonly hashes: SortedHashes;
  readonly hashBlocks: readonly HashBlock[];
}

/**
 * A list with at most this many entries takes about as much room as its blocks, so it is always stored completely.
 */
const ALWAYS_WHOLE = 2 ** 9;

/** Whether a version becomes a base: its blocks would have changed more than half of the list, or it is short. */
export function needsBase(
  { hashes, words, hashBlocks }: NewList,
  change: Change<PrefixWords>,
): boolean {
  const changed = hashBlocks.reduce(
    (sum, { changed }) => sum + changed,
    Math.max(lengthOfChange(change), MIN_MENTIONS),
  );
  return hashes.count <= ALWAYS_WHOLE || 2 * changed > words.length;
}

/** Writes the whole list as a block that begins at nothing. */
export async function writeBase(
  write: WriteObject,
  { words, hashes, hashBlocks }: NewList,
  version: number,
): Promise<Base> {
  const described = await writeHashes(write, hashes, [], hashBlocks);
  return {
    version,
    ...(await writeBlock(write, [], { removed: NO_WORDS, added: words })),
    hashes: described,
  };
}

/** The change that the shortest block has. `list` is called only if full hashes are needed. */
interface NextBlocks {
  readonly change: Change<PrefixWords>;
  readonly base: Base;
  readonly list: () => Promise<NewList>;
}

/**
 * Writes the blocks that end at the version after the newest one, the shortest first. Longer ones are joined from those
 * in the store, so older lists are not needed.
 *
 * A longer block is left out if it would change more than half of the list, or if one of its parts cannot be read. The
 * hash of the manifest where it would begin is written anyway.
 */
export async function writeBlocks(
  storage: Storage,
  write: WriteObject,
  { manifest: newest, hash }: LogEntry,
  next: NextBlocks,
): Promise<BlockLink[]> {
  const version = newest.version + 1;
  const written: BlockLink[] = [];
  let change: JoinedChange | null = { ...next.change, passing: NO_WORDS };
  let from = { after: newest.version, manifest: hash, links: newest.blocks };
  for (let span = 1; version % span === 0 && version - span >= newest.first; span *= SPAN) {
    while (from.after > version - span) {
      const link = from.links.findLast(({ after }) => after >= version - span);
      if (link === undefined) return written;
      const older: OlderBlock | null =
        change !== null && isWritten(link) ? await readOlderBlock(storage, from.after, link) : null;
      const links = older?.links ?? (await linksOf(storage, newest.list, link));
      if (links === null) return written;
      change = older && joinBlocks(older.change, change!, newest.contents.prefixes);
      from = { after: link.after, manifest: link.manifest, links };
    }
    const { after, manifest } = from;
    if (change === null) written.push({ after, manifest, object: null, bytes: 0, hashes: null });
    else {
      const hashes = await hashesOfBlock(write, change, after, next);
      const isHistory = span > 1 && span <= MAX_HISTORY_SPAN;
      const passing = isHistory ? change.passing : null;
      const block = await writeBlock(write, from.links, change, passing);
      written.push({ after, manifest, ...block, hashes });
    }
  }
  return written;
}

/** A change, and the prefixes that were added and removed again in between; `null` if they are not known. */
interface JoinedChange extends Change<PrefixWords> {
  readonly passing: PrefixWords | null;
}

/** Joins two consecutive blocks of a list with so many prefixes; `null` if more than half of the list would change. */
function joinBlocks(
  first: JoinedChange,
  second: JoinedChange,
  prefixes: number,
): JoinedChange | null {
  const change = joinTwo(first, second, WORD_SETS);
  if (2 * lengthOfChange(change) > prefixes) return null;
  if (first.passing === null || second.passing === null) return { ...change, passing: null };
  const passing = [common(first.added, second.removed), first.passing, second.passing]
    .map((words) => without(without(words, change.removed), change.added))
    .reduce((all, words) => union(all, without(words, all)));
  return { ...change, passing: passing.length > prefixes ? null : passing };
}

interface OlderBlock {
  readonly change: JoinedChange;
  readonly links: readonly BlockLink[];
}

/**
 * Reads a block to join, which ends at a version; `null` if it cannot be read. Readers can do without longer blocks.
 */
function readOlderBlock(
  storage: Storage,
  version: number,
  link: WrittenLink,
): Promise<OlderBlock | null> {
  return unlessWrong(async () => {
    const { stored, links } = await readBlock(storage, link);
    const isShortest = link.after === version - 1;
    const passing = isShortest ? NO_WORDS : passingIn(stored);
    return { change: { ...changeIn(stored), passing }, links };
  });
}

/** The blocks that end where another one begins, from the manifest of that version; `null` if it cannot be read. */
function linksOf(
  storage: Storage,
  list: string,
  { after, manifest }: BlockLink,
): Promise<readonly BlockLink[] | null> {
  return unlessWrong(async () => {
    const entry = await readEntry(storage, list, after);
    return entry?.hash === manifest ? entry.manifest.blocks : null;
  });
}

async function unlessWrong<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

async function writeBlock(
  write: WriteObject,
  links: readonly BlockLink[],
  change: Change<PrefixWords>,
  passing: PrefixWords | null = null,
): Promise<Omit<BlockObjects, "hashes">> {
  const bytes = encodeBlock(links, change, passing);
  return { object: await write(bytes), bytes: bytes.length };
}

/**
 * Writes the full hashes of a block. A block that adds nothing has none, and one that begins before the base has none,
 * either, unless it begins one version before. Readers that keep longer prefixes reach a new base by such a block.
 */
async function hashesOfBlock(
  write: WriteObject,
  { added }: Change<PrefixWords>,
  after: number,
  { base, list }: NextBlocks,
): Promise<string | null> {
  if (added.length === 0 || after < base.version - 1) return null;
  const { words, hashes, hashBlocks } = await list();
  if (after < base.version && hashes.count <= ALWAYS_WHOLE) return null;
  const others = othersFor(
    added,
    words,
    hashBlocks.filter((block) => block.after < after),
  );
  const picked = await pickHashes(hashes, union(added, others));
  return writeHashes(write, picked, [...others], hashBlocks);
}

/**
 * A block has the full hashes of at least this many prefixes. If a block had only those that changed, the host of the
 * store could narrow a reader's search down to a few entries.
 */
const MIN_MENTIONS = 128;

/**
 * The prefixes that a short block mentions besides those that it adds. They must not be in an older block: a search
 * reads only the newest block with a prefix, so the older block would then be read for fewer prefixes.
 *
 * The list has enough such prefixes, because the blocks since the base change at most half of it.
 */
function othersFor(
  added: PrefixWords,
  words: PrefixWords,
  older: readonly HashBlock[],
): PrefixWords {
  if (added.length >= MIN_MENTIONS) return NO_WORDS;
  const known = older.reduce(
    (all, { mentions }) => union(all, without(mentions ?? NO_WORDS, all)),
    added,
  );
  const free = without(words, known);
  const count = Math.min(MIN_MENTIONS, free.length);
  return Uint32Array.from(
    { length: count },
    (_, i) => free[Math.floor((i * free.length) / count)]!,
  );
}

/** Writes the shards and rests of some full hashes, and the object that describes them. */
async function writeHashes(
  write: WriteObject,
  hashes: SortedHashes,
  others: readonly number[],
  before: readonly HashBlock[],
): Promise<string> {
  const kept = new Set(before.flatMap(({ shards }) => shards));
  const rests = collectRests(hashes.count);
  const shards = await inParallel(rests.passOn(shardsOf(hashes)), (bytes) => write(bytes, kept));
  const description = {
    count: hashes.count,
    others,
    rests: await write(rests.object()),
    shards,
  };
  return write(encodeHashes(description));
}

/**
 * Picks the full hashes whose first words are among some ascending words, and keeps them in memory. The function
 * searches for each word, because most hashes begin with other words.
 */
async function pickHashes(hashes: SortedHashes, words: PrefixWords): Promise<SortedHashes> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let next = 0;
  // All hashes with the same first word are in one shard.
  for await (const shard of shardsOf(hashes)) {
    const found: Uint8Array[] = [];
    const count = shard.length / FULL_HASH_BYTES;
    for (let end = 0; next < words.length; next++) {
      const word = words[next]!;
      const wordOf = (index: number) => wordAt(shard, index * FULL_HASH_BYTES);
      const start = firstNotBelow(count, end, (index) => wordOf(index) < word, 1);
      if (start === count) break;
      for (end = start; end < count && wordOf(end) === word; end++);
      found.push(shard.subarray(start * FULL_HASH_BYTES, end * FULL_HASH_BYTES));
    }
    // The bytes are copied, because a view would keep the whole shard in memory.
    const piece = concatBytes(found);
    pieces.push(piece);
    bytes += piece.length;
  }
  return { count: bytes / FULL_HASH_BYTES, pieces: () => pieces };
}
