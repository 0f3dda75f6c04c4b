import { encodePrefixList, type PrefixList, updatePrefixList } from "@x/prefix-list";
import { firstWords } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "../bytes.ts";
import {
  countCommon,
  encodeShardIndex,
  readShardIndex,
  type Shards,
  shardIndexOf,
  shardsOf,
} from "../contents/full-hashes.ts";
import {
  encodeHostNamesIndex,
  type HostNames,
  readHostNamesIndex,
} from "../contents/host-names.ts";
import { listOfWords, type PrefixWords, wordsOf } from "../contents/prefix-words.ts";
import { readSnapshot } from "../contents/snapshot.ts";
import { StoreError } from "../error.ts";
import type { Change, Contents, Manifest } from "../log/manifest.ts";
import { getObject, hashOf, putObject, type Sha256 } from "../objects.ts";
import { changeBetween, differenceTo, type PrefixChange } from "../reading/prefix-change.ts";
import type { Storage } from "../storage/storage.ts";

/** What a new version would change. */
export interface ContentsChange {
  readonly before: Manifest;
  readonly fresh: NewContents;
  /** How many entries of the version before would be removed. */
  readonly removed: number;
}

export type CheckChange = (change: ContentsChange) => void | Promise<void>;

/** How many objects are written at the same time. */
const WRITERS = 8;

/** The new contents in memory, before anything is written. */
export interface NewContents {
  readonly shards: Shards;
  readonly words: PrefixWords;
  readonly prefixes: PrefixList;
  readonly snapshot: Uint8Array;
  readonly shardIndex: Uint8Array;
  /** The names of hosts and their index; `null` when they are not kept. */
  readonly names: { readonly parts: readonly Uint8Array[]; readonly index: Uint8Array } | null;
}

/** Sorts full hashes, removes duplicates, and makes the objects of a version from them. */
export async function newContentsOf(
  list: string,
  fullHashes: readonly Uint8Array[],
  created: number,
  namesOf: ((shardBits: number) => HostNames) | null,
): Promise<NewContents> {
  const shards = shardsOf(fullHashes);
  const words = new Uint32Array(shards.count);
  let used = 0;
  for (const part of shards.parts) {
    words.set(firstWords({ prefixBytes: FULL_HASH_BYTES, rawHashes: part }), used);
    used += part.length / FULL_HASH_BYTES;
  }
  const prefixes = listOfWords(words, list, created);
  const names = namesOf?.(shards.bits) ?? null;
  return {
    shards,
    words: prefixes.size === words.length ? words : wordsOf(prefixes),
    prefixes,
    snapshot: encodePrefixList(prefixes),
    shardIndex: encodeShardIndex(await shardIndexOf(shards)),
    names: names && { parts: names.parts, index: await encodeHostNamesIndex(names) },
  };
}

/** Counts the full hashes that the old and the new shards have in common. */
async function countShared(
  storage: Storage,
  old: readonly string[],
  shards: Shards,
): Promise<number> {
  const fresh = (await shardIndexOf(shards)).shards;
  const groups = Math.min(old.length, fresh.length);
  let shared = 0;
  for (let group = 0; group < groups; group++) {
    const ofGroup = <T>(all: readonly T[]) =>
      all.slice((group * all.length) / groups, ((group + 1) * all.length) / groups);
    const [oldNames, freshParts] = [ofGroup(old), ofGroup(shards.parts)];
    if (oldNames.join() === ofGroup(fresh).join()) {
      shared += freshParts.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0);
      continue;
    }
    const oldParts: Uint8Array[] = [];
    for (const name of oldNames) oldParts.push(await getObject(storage, name));
    shared += countCommon(concatBytes(oldParts), concatBytes(freshParts));
  }
  return shared;
}

/** Writes an object unless it is among those kept, and returns its hash. */
type WriteObject = (bytes: Uint8Array, kept: ReadonlySet<string>) => Promise<string>;

/** Writes objects, and knows which were not there before. */
export interface ObjectWriter {
  readonly write: WriteObject;
  readonly created: ReadonlySet<string>;
}

/** Writes each object once. Objects of the newest version are skipped, because nobody deletes them. */
export function objectWriter(storage: Storage, dryRun: boolean): ObjectWriter {
  const written = new Set<string>();
  const created = new Set<string>();
  async function write(bytes: Uint8Array, kept: ReadonlySet<string>): Promise<string> {
    const hash = await hashOf(bytes);
    if (dryRun || kept.has(hash) || written.has(hash)) return hash;
    await putObject(storage, bytes, (each) => created.add(each));
    written.add(hash);
    return hash;
  }
  return { write, created };
}

/**
 * Calls `write` with every item, a few at a time, because writing mostly means waiting for the disk. After an error,
 * nothing is written any more.
 */
async function writeAtOnce<T>(
  items: readonly T[],
  write: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const writer = async () => {
    try {
      while (next < items.length) await write(items[next++]!);
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: WRITERS }, writer));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** Throws unless the difference that clients will get turns the old list into the new one. */
function verify(old: PrefixList, fresh: NewContents, change: PrefixChange): void {
  const { name, created, checksum } = fresh.prefixes;
  const difference = differenceTo(fresh.words, change, { oldChecksum: old.checksum, checksum });
  let cause: unknown;
  try {
    if (updatePrefixList(old, difference, { name, created }).checksum === checksum) return;
  } catch (error) {
    cause = error;
  }
  const problem =
    cause === undefined ? "has the wrong checksum" : "cannot be built from the old one";
  throw new StoreError("unverified", `The new version of ${name} ${problem}`, { cause });
}

/** Writes the names of hosts, and returns the hash of their index. */
async function writeNames(
  storage: Storage,
  write: WriteObject,
  { parts, index }: NonNullable<NewContents["names"]>,
  before: Manifest | null,
): Promise<string> {
  const old = before?.contents.names;
  const kept = new Set(
    old === undefined ? [] : [old, ...(await readHostNamesIndex(storage, old)).shards],
  );
  await writeAtOnce(parts, (part) => write(part, kept));
  return write(index, kept);
}

/** What {@link writeContents} may be given. */
interface WriteOptions {
  /** Called with what would change, before anything is written. It may throw. */
  readonly checkChange?: CheckChange | undefined;
  readonly sha256?: Sha256 | undefined;
}

/** Verifies a new version, writes what it needs, and returns what its manifest says about it. */
export async function writeContents(
  storage: Storage,
  write: WriteObject,
  fresh: NewContents,
  before: Manifest | null,
  { checkChange, sha256 }: WriteOptions,
): Promise<{ contents: Contents; change: Change }> {
  const { name, checksum, created } = fresh.prefixes;
  const old =
    before === null
      ? listOfWords(new Uint32Array(0), "", 0)
      : await readSnapshot(storage, before, sha256);
  const oldShards =
    before === null ? [] : (await readShardIndex(storage, before.contents.shards)).shards;
  const shared = await countShared(storage, oldShards, fresh.shards);
  const removed = (before?.contents.fullHashes ?? 0) - shared;
  if (before !== null) await checkChange?.({ before, fresh, removed });
  const change = changeBetween(wordsOf(old), fresh.words);
  verify(old, fresh, change);

  const kept = new Set(oldShards);
  await writeAtOnce(fresh.shards.parts, (part) => write(part, kept));
  const isSameList = before !== null && checksum === old.checksum;
  const none = new Set<string>();
  const listOf = (words: PrefixWords) => encodePrefixList(listOfWords(words, name, created));
  const [added, removedList] = [listOf(change.added), listOf(change.removed)];
  return {
    contents: {
      since: isSameList ? before.contents.since : (before?.version ?? 0) + 1,
      prefixes: fresh.prefixes.size,
      fullHashes: fresh.shards.count,
      checksum,
      snapshot: isSameList ? before.contents.snapshot : await write(fresh.snapshot, none),
      snapshotBytes: isSameList ? before.contents.snapshotBytes : fresh.snapshot.length,
      shards: await write(fresh.shardIndex, none),
      ...(fresh.names && { names: await writeNames(storage, write, fresh.names, before) }),
    },
    change: {
      added: await write(added, none),
      removed: await write(removedList, none),
      bytes: added.length + removedList.length,
      addedEntries: fresh.shards.count - shared,
      removedEntries: removed,
    },
  };
}
