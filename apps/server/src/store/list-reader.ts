import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import {
  checkNotExpired,
  type LogEntry,
  readEntry,
  readNewest,
  readNext,
  readPrevious,
  type SeenVersion,
} from "./commit-log.ts";
import { StoreError } from "./error.ts";
import { readShardIndex } from "./full-hashes.ts";
import { getObject } from "./objects.ts";
import {
  differenceTo,
  joinChanges,
  type ListDifference,
  type PrefixChange,
} from "./prefix-change.ts";
import { type PrefixWords, wordsOf } from "./prefix-words.ts";
import { readSnapshot } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";

/** A verified version of a list, in memory. */
export interface LoadedList {
  readonly entry: LogEntry;
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
  /** The names of the shards of full hashes. */
  readonly shards: readonly string[];
  /** The log below this version as far as it was read: verified entries by version. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

async function load(
  storage: Storage,
  entry: LogEntry,
  before: LoadedList | null,
): Promise<LoadedList> {
  const { contents } = entry.manifest;
  const isSameList = before?.entry.manifest.contents.snapshot === contents.snapshot;
  const prefixes = isSameList ? before.prefixes : await readSnapshot(storage, entry.manifest);
  const { shards } = await readShardIndex(storage, contents.shards);
  return {
    entry,
    prefixes,
    words: isSameList ? before.words : wordsOf(prefixes),
    shards,
    log: new Map([...(before?.log ?? []), [entry.manifest.version, entry]]),
  };
}

/** The newest version of a list; `null` when there is none. */
export async function loadNewest(
  storage: Storage,
  list: string,
  publicKeys: readonly string[],
  seen: SeenVersion | null,
  now: number,
): Promise<LoadedList | null> {
  const newest = await readNewest(storage, list, publicKeys, seen);
  if (newest === null) return null;
  checkNotExpired(newest, now);
  return load(storage, newest, null);
}

/**
 * The newest version after one that was loaded before; that one itself when there is none.
 *
 * The loaded version must still be in the log: a log without it is rolled back.
 */
export async function loadFollowing(storage: Storage, loaded: LoadedList): Promise<LoadedList> {
  const { list, version } = loaded.entry.manifest;
  const still = await readEntry(storage, list, version);
  if (still === null) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} is rolled back: version ${version} is gone`,
    );
  }
  if (still.hash !== loaded.entry.hash) {
    throw new StoreError(
      "forked",
      `Version ${version} of ${list} is not the one that was seen before`,
    );
  }
  const log = new Map(loaded.log);
  let entry = loaded.entry;
  for (;;) {
    const next = await readNext(storage, entry);
    if (next === null) break;
    entry = next;
    log.set(entry.manifest.version, entry);
  }
  return entry === loaded.entry ? loaded : load(storage, entry, { ...loaded, log });
}

/**
 * Answers what changed since older versions of one loaded list.
 *
 * Changes are read from the store when they are first asked for, and joined, newest first.
 */
export function changesUpTo(
  storage: Storage,
  loaded: LoadedList,
  window: number,
): (since: number) => Promise<ListDifference | null> {
  const newest = loaded.entry.manifest;
  const log = new Map(loaded.log);
  /** By version: what changed since that version. */
  const joined = new Map<number, PrefixChange>([
    [newest.version, { removed: new Uint32Array(0), added: new Uint32Array(0) }],
  ]);
  let oldest = newest.version;

  async function readWords(object: string): Promise<PrefixWords> {
    return wordsOf(decodePrefixList(await getObject(storage, object)));
  }

  async function stepBack(): Promise<boolean> {
    const entry = log.get(oldest)!;
    const previous = log.get(oldest - 1) ?? (await readPrevious(storage, entry));
    if (previous === null) return false;
    const later = joined.get(oldest)!;
    const { change } = entry.manifest;
    const joinedChange =
      change === null
        ? later
        : joinChanges(
            { removed: await readWords(change.removed), added: await readWords(change.added) },
            later,
          );
    log.set(oldest - 1, previous);
    joined.set(oldest - 1, joinedChange);
    oldest--;
    return true;
  }

  let queue: Promise<unknown> = Promise.resolve();
  /** Steps back to a version, one request at a time; stops where a full update is smaller. */
  async function reach(since: number): Promise<void> {
    while (oldest > since) {
      const { removed, added } = joined.get(oldest)!;
      if (loaded.words.length > 0 && removed.length + added.length > loaded.words.length) return;
      if (!(await stepBack())) return;
    }
  }

  return async (since) => {
    if (since < 1 || since > newest.version || since < newest.version - window) return null;
    const reached = queue.then(() => reach(since));
    queue = reached.catch(() => {});
    await reached;
    const change = joined.get(since);
    const then = log.get(since)?.manifest;
    if (change === undefined || then === undefined || then.contents.since !== since) return null;
    const { checksum } = loaded.prefixes;
    return differenceTo(loaded.words, change, { oldChecksum: then.contents.checksum, checksum });
  };
}
