import type { PrefixList } from "@x/prefix-list";
import { readShardIndex } from "../contents/full-hashes.ts";
import { type PrefixWords, wordsOf } from "../contents/prefix-words.ts";
import {
  checkSnapshot,
  type DecodeSnapshot,
  decodeSnapshot,
  loadSnapshot,
  type Snapshot,
} from "../contents/snapshot.ts";
import { StoreError } from "../error.ts";
import {
  checkTimes,
  type LogEntry,
  readEntry,
  readNewest,
  readNext,
  type StoredList,
} from "../log/commit-log.ts";
import { changeBytes, snapshotBytes } from "./encoded-bytes.ts";
import {
  type ApplyStoredChanges,
  applyStoredChanges,
  type StoredChange,
} from "./join-stored-changes.ts";
import { readStoredChange } from "./read-stored-change.ts";

/** How many entries of the log stay in memory while it grows; older ones are read again when they are needed. */
const MAX_LOG = 1000;
/** How many changes are read at the same time. */
const READS = 4;

/** A version of a list that a reader keeps, for example in files. */
export interface KeptList {
  readonly entry: LogEntry;
  readonly prefixes: PrefixList;
}

/** A verified version of a list, in memory. */
export interface LoadedList extends KeptList {
  readonly words: PrefixWords;
  /** The names of the shards of full hashes. */
  readonly shards: readonly string[];
  /** The log below this version as far as it was read: verified entries by version. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

/** Which list to load, and who does the work on long lists: another thread may. */
export interface LoadOptions extends StoredList {
  readonly decode?: DecodeSnapshot | undefined;
  readonly apply?: ApplyStoredChanges | undefined;
}

/** The newest entry after one that was verified before, and the entries up to it. */
interface Followed {
  readonly entry: LogEntry;
  /** From the entry before to the newest one, by version; older ones, too, if they are in memory. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

/** Follows the log from an entry that was verified before, which must still be in it. */
async function follow(
  { storage, verify }: LoadOptions,
  before: LogEntry,
  known: ReadonlyMap<number, LogEntry>,
): Promise<Followed> {
  const { list, version } = before.manifest;
  const still = await readEntry(storage, list, version);
  if (still === null) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} is rolled back: version ${version} is gone`,
    );
  }
  if (still.hash !== before.hash) {
    throw new StoreError(
      "forked",
      `Version ${version} of ${list} is not the one that was seen before`,
    );
  }
  const log = new Map([...known, [version, before] as const].slice(-MAX_LOG));
  let entry = before;
  for (;;) {
    const next = await readNext(storage, entry, verify);
    if (next === null) return { entry, log };
    entry = next;
    log.set(entry.manifest.version, entry);
    if (log.size > MAX_LOG) log.delete(log.keys().next().value!);
  }
}

/**
 * The entries whose changes lead from one version to a later one, the newest first; `null` when one of them is not at
 * hand, or when the snapshot of the later version takes fewer bytes.
 */
function shorterChanges({ entry, log }: Followed, from: number): LogEntry[] | null {
  const entries: LogEntry[] = [];
  let left = snapshotBytes(entry.manifest.contents);
  for (let { version } = entry.manifest; version > from; version--) {
    const each = log.get(version);
    if (each === undefined) return null;
    left -= changeBytes(each.manifest);
    if (left < 0) return null;
    if (each.manifest.change !== null) entries.push(each);
  }
  return entries;
}

/** The prefixes of a version, made from those of an older one; `null` when a change cannot be read. */
async function changed(
  { storage, apply = applyStoredChanges, sha256 }: LoadOptions,
  words: PrefixWords,
  entries: readonly LogEntry[],
  { manifest }: LogEntry,
): Promise<Snapshot | null> {
  try {
    const stored: StoredChange[] = [];
    for (let start = 0; start < entries.length; start += READS) {
      const some = entries.slice(start, start + READS);
      const changes = some.map(({ manifest }) => readStoredChange(storage, manifest.change!));
      stored.push(...(await Promise.all(changes)));
    }
    const { list: name, issued: created } = manifest;
    const snapshot = await apply({ words, stored, name, created }, sha256);
    return checkSnapshot(snapshot, manifest);
  } catch (error) {
    // Garbage collection deletes old changes; the snapshot is always there.
    if (error instanceof StoreError) return null;
    throw error;
  }
}

async function load(
  options: LoadOptions,
  followed: Followed,
  before: (KeptList & Partial<LoadedList>) | null,
): Promise<LoadedList> {
  const { storage, sha256 } = options;
  const { entry, log } = followed;
  const { contents } = entry.manifest;
  const { decode = (bytes, object) => decodeSnapshot(bytes, object, sha256) } = options;
  let snapshot: Snapshot | null = null;
  if (before !== null) {
    const { words = wordsOf(before.prefixes), prefixes } = before;
    if (before.entry.manifest.contents.snapshot === contents.snapshot) {
      snapshot = { prefixes, words };
    } else {
      const changes = shorterChanges(followed, before.entry.manifest.version);
      if (changes !== null) snapshot = await changed(options, words, changes, entry);
    }
  }
  snapshot ??= await loadSnapshot(storage, entry.manifest, decode);
  const { shards } = await readShardIndex(storage, contents.shards);
  return { entry, ...snapshot, shards, log };
}

/**
 * Brings a reader to the newest version of a list: by the differences since the version that it has, or by the whole
 * list, whichever takes fewer bytes. Returns `null` when the list has no version.
 *
 * For a reader that has no version, the newest one must be signed with one of the public keys. Otherwise, every version
 * after the one it has must be signed with a key that the version before names, so rotated keys are followed. When there
 * is no newer version, a {@link LoadedList} is returned as it is.
 *
 * @throws {StoreError} when what the storage has cannot be trusted, is damaged or has expired. The reader keeps what it
 * has.
 */
export async function loadList(
  options: LoadOptions,
  before: KeptList | LoadedList | null = null,
): Promise<LoadedList | null> {
  const { now = Date.now } = options;
  if (before === null) {
    const newest = await readNewest(options);
    if (newest === null) return null;
    checkTimes(newest, now());
    return load(
      options,
      { entry: newest, log: new Map([[newest.manifest.version, newest]]) },
      null,
    );
  }
  const followed = await follow(options, before.entry, "log" in before ? before.log : new Map());
  checkTimes(followed.entry, now());
  if (followed.entry === before.entry && "log" in before) return before;
  return load(options, followed, before);
}
