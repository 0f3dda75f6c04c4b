import { setImmediate as nextTurn } from "node:timers/promises";
import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import {
  checkTimes,
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

/** How many entries of the log stay in memory while it grows; older ones are read again when they are needed. */
const MAX_LOG = 1000;

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
  // A long list takes a while: other requests are answered between the steps.
  await nextTurn();
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
  checkTimes(newest, now);
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
  const log = new Map([...loaded.log].slice(-MAX_LOG));
  let entry = loaded.entry;
  for (;;) {
    const next = await readNext(storage, entry);
    if (next === null) break;
    entry = next;
    log.set(entry.manifest.version, entry);
    if (log.size > MAX_LOG) log.delete(log.keys().next().value!);
  }
  return entry === loaded.entry ? loaded : load(storage, entry, { ...loaded, log });
}

/** Why a client gets no difference, and so a full update. */
export type NoDifference =
  /** No client of this list was ever given its version. */
  | "unknown-token"
  /** It is too old. */
  | "behind-window"
  /** A full update is smaller. */
  | "full-is-smaller";

/** What changed since a version, or why there is no difference from it. */
export type ChangesSince = (since: number) => Promise<ListDifference | NoDifference>;

/** How many joined changes are kept, each of at most as many prefixes as the list has. */
const MAX_KEPT = 8;

/**
 * Answers what changed since older versions of one loaded list.
 *
 * Changes are read from the store when somebody asks for them, and joined, newest first.
 */
export function changesUpTo(storage: Storage, loaded: LoadedList, window: number): ChangesSince {
  const newest = loaded.entry.manifest;
  const log = new Map(loaded.log);
  /** By version: what changed since that version. */
  const kept = new Map<number, PrefixChange>();

  async function readWords(object: string): Promise<PrefixWords> {
    return wordsOf(decodePrefixList(await getObject(storage, object)));
  }

  async function joinOlder(entry: LogEntry, later: PrefixChange): Promise<PrefixChange> {
    const { change } = entry.manifest;
    if (change === null) return later;
    const [removed, added] = [await readWords(change.removed), await readWords(change.added)];
    return joinChanges({ removed, added }, later);
  }

  function isTooLarge({ removed, added }: PrefixChange): boolean {
    // Firefox skips a full update that is empty: a list is always emptied by a difference.
    return loaded.words.length > 0 && removed.length + added.length > loaded.words.length;
  }

  /** Joins the changes back to a version; `null` when they become too large. */
  async function joinBackTo(since: number): Promise<PrefixChange | null> {
    const start = Math.min(
      newest.version,
      ...[...kept.keys()].filter((version) => version >= since),
    );
    let joined = kept.get(start) ?? { removed: new Uint32Array(0), added: new Uint32Array(0) };
    for (let version = start; version > since; version--) {
      const entry = await entryOf(version);
      joined = await joinOlder(entry, joined);
      if (isTooLarge(joined)) return null;
    }
    kept.set(since, joined);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return joined;
  }

  /** The entry of a version, proven by the chain of hashes from the newest one. */
  async function entryOf(version: number): Promise<LogEntry> {
    let known = version;
    while (!log.has(known)) known++;
    while (known > version) {
      log.set(known - 1, (await readPrevious(storage, log.get(known)!))!);
      known--;
    }
    return log.get(version)!;
  }

  let queue: Promise<unknown> = Promise.resolve();
  return async (since) => {
    if (since < 1 || since > newest.version) return "unknown-token";
    if (since < newest.version - window) return "behind-window";
    // One at a time, so that nothing is read twice.
    const joining = queue.then(() => joinBackTo(since));
    queue = joining.catch(() => {});
    const change = await joining;
    if (change === null) return "full-is-smaller";
    const { contents } = (await entryOf(since)).manifest;
    if (contents.since !== since) return "unknown-token";
    const { checksum } = loaded.prefixes;
    return differenceTo(loaded.words, change, { oldChecksum: contents.checksum, checksum });
  };
}
