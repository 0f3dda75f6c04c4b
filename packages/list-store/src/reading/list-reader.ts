import type { PrefixList } from "@x/prefix-list";
import {
  checkTimes,
  type LogEntry,
  readEntry,
  readNewest,
  readNext,
  type SeenVersion,
} from "../log/commit-log.ts";
import { StoreError } from "../error.ts";
import { readShardIndex } from "../contents/full-hashes.ts";
import type { PrefixWords } from "../contents/prefix-words.ts";
import { type DecodeSnapshot, decodeSnapshot, loadSnapshot } from "../contents/snapshot.ts";
import type { Storage } from "../storage/storage.ts";

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
  decode: DecodeSnapshot,
): Promise<LoadedList> {
  const { contents } = entry.manifest;
  const isSameList = before?.entry.manifest.contents.snapshot === contents.snapshot;
  const { prefixes, words } = isSameList
    ? before
    : await loadSnapshot(storage, entry.manifest, decode);
  const { shards } = await readShardIndex(storage, contents.shards);
  return {
    entry,
    prefixes,
    words,
    shards,
    log: new Map([...(before?.log ?? []), [entry.manifest.version, entry]]),
  };
}

/** The newest version of a list; `null` when there is none. `decode` may do its work in another thread. */
export async function loadNewest(
  storage: Storage,
  list: string,
  publicKeys: readonly string[],
  seen: SeenVersion | null,
  now: number,
  decode: DecodeSnapshot = decodeSnapshot,
): Promise<LoadedList | null> {
  const newest = await readNewest(storage, list, publicKeys, seen);
  if (newest === null) return null;
  checkTimes(newest, now);
  return load(storage, newest, null, decode);
}

/**
 * The newest version after one that was loaded before; that one itself when there is none.
 *
 * The loaded version must still be in the log: a log without it is rolled back.
 */
export async function loadFollowing(
  storage: Storage,
  loaded: LoadedList,
  decode: DecodeSnapshot = decodeSnapshot,
): Promise<LoadedList> {
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
  return entry === loaded.entry ? loaded : load(storage, entry, { ...loaded, log }, decode);
}
