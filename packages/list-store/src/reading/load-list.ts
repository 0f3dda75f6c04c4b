import type { PrefixList } from "@x/prefix-list";
import {
  type ChangeObjects,
  changeBytes,
  type Layers,
  readLayers,
  wholeBytes,
} from "../contents/layers.ts";
import { type PrefixWords, wordsOf } from "../contents/prefix-words.ts";
import {
  advanceSnapshot,
  countOf,
  loadSnapshot,
  type MakeSnapshot,
  makeSnapshot,
  type Snapshot,
} from "../contents/snapshot.ts";
import { StoreError } from "../error.ts";
import {
  checkNoGap,
  checkTimes,
  type LogEntry,
  readBack,
  readEntry,
  readHint,
  readNewest,
  readNext,
  type StoredList,
  skipAhead,
} from "../log/commit-log.ts";
import type { Storage } from "../storage/storage.ts";
import { readChangesSince } from "./changes-since.ts";

/** How many entries of the log stay in memory while it grows; older ones are read again when they are needed. */
const MAX_LOG = 1000;

/** A version of a list that a reader keeps, for example in files. */
export interface KeptList {
  readonly entry: LogEntry;
  readonly prefixes: PrefixList;
}

/** A verified version of a list, in memory. */
export interface LoadedList extends KeptList {
  readonly words: PrefixWords;
  /** Where the prefixes and full hashes are stored. */
  readonly layers: Layers;
  /** The log below this version as far as it was read: verified entries by version. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

/** Which list to load, and who does the work on long lists: another thread may. */
export interface LoadOptions extends StoredList {
  readonly makeSnapshot?: MakeSnapshot | undefined;
  /** Whether an expired version is loaded, too. Then nothing tells whether the storage holds back newer ones. */
  readonly allowsExpired?: boolean | undefined;
}

/** The newest entry after one that was verified before, and the entries that were read on the way. */
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
  const hint = await readHint(storage, list);
  for (;;) {
    const next =
      (await skipAhead(storage, entry, hint, verify)) ?? (await readNext(storage, entry, verify));
    if (next === null) {
      await checkNoGap(storage, entry, hint);
      return { entry, log };
    }
    entry = next;
    log.set(entry.manifest.version, entry);
    if (log.size > MAX_LOG) log.delete(log.keys().next().value!);
  }
}

/** The prefixes of a version, made from older ones; `null` when that takes more bytes, or a change cannot be read. */
async function advanced(
  storage: Storage,
  followed: Followed,
  layers: Layers,
  { entry: { manifest }, words }: Pick<LoadedList, "entry" | "words">,
  make: MakeSnapshot,
): Promise<Snapshot | null> {
  const { entry, log } = followed;
  const isTooMuch = (changes: readonly ChangeObjects[]) =>
    changeBytes(changes) > wholeBytes(layers);
  const known = new Map(log);
  const entryOf = (version: number) => readBack(storage, entry, version, known);
  try {
    const newest = { entry, layers };
    const read = await readChangesSince(storage, newest, manifest.version, entryOf, isTooMuch);
    if (read.stored === null) return null;
    return await advanceSnapshot(entry.manifest, words, read.stored, countOf(read.pieces), make);
  } catch (error) {
    // Garbage collection deletes old changes; the whole list is always there.
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
  const { makeSnapshot: make = (parts) => makeSnapshot(parts, sha256) } = options;
  const { entry, log } = followed;
  const { manifest } = entry;
  const layers = await readLayers(storage, manifest);
  let snapshot: Snapshot | null = null;
  if (before !== null) {
    const { words = wordsOf(before.prefixes), prefixes } = before;
    // The prefixes may be of another version than the entry: they are kept in two files.
    snapshot =
      prefixes.checksum === manifest.contents.checksum
        ? { prefixes, words }
        : await advanced(storage, followed, layers, { entry: before.entry, words }, make);
  }
  snapshot ??= await loadSnapshot(storage, manifest, layers, make);
  return { entry, ...snapshot, layers, log };
}

/** Throws when a version has expired, unless that is allowed, or was signed in the future. */
function checkTimesOf(entry: LogEntry, { now = Date.now, allowsExpired = false }: LoadOptions) {
  const { expires } = entry.manifest;
  checkTimes(entry, allowsExpired ? Math.min(now(), expires - 1) : now());
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
  if (before === null) {
    const newest = await readNewest(options);
    if (newest === null) return null;
    checkTimesOf(newest, options);
    return load(
      options,
      { entry: newest, log: new Map([[newest.manifest.version, newest]]) },
      null,
    );
  }
  const followed = await follow(options, before.entry, "log" in before ? before.log : new Map());
  checkTimesOf(followed.entry, options);
  if (followed.entry === before.entry && "log" in before) return before;
  return load(options, followed, before);
}
