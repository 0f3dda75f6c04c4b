import type { PrefixList } from "@x/prefix-list";
import {
  type ChangeObjects,
  changeBytes,
  type Layers,
  MANIFEST_BYTES,
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
  stepToSnapshot,
} from "../contents/snapshot.ts";
import type { StoredObject } from "../contents/stored-prefixes.ts";
import { StoreError } from "../error.ts";
import { MAX_VERSION } from "../keys.ts";
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
import { isSignedByOne, type Verify } from "../log/signed-note.ts";
import { remembering } from "../storage/remembering.ts";
import type { Storage } from "../storage/storage.ts";
import { readChangesSince } from "./changes-since.ts";
import { readSteps } from "./read-steps.ts";

/** How many entries of the log stay in memory as it grows; older ones are read again when needed. */
const MAX_LOG = 1000;

/** A version of a list that a reader keeps, for example in files. */
export interface KeptList {
  readonly entry: LogEntry;
  readonly prefixes: PrefixList;
}

/** A verified version of a list, in memory. */
export interface LoadedList extends KeptList {
  readonly words: PrefixWords;
  /** Where the prefixes and full hashes are stored, if that has been read. */
  readonly layers?: Layers | undefined;
  /** The verified entries that have been read, by version: this version and older ones. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

/** Which list to load, and how. `makeSnapshot` can do the work on long lists in another thread. */
export interface LoadOptions extends StoredList {
  readonly makeSnapshot?: MakeSnapshot | undefined;
  /** Whether to load expired versions, too. Then nothing shows whether the storage is holding back newer ones. */
  readonly allowsExpired?: boolean | undefined;
}

/** The newest entry after a verified one, and the entries that were read on the way. */
interface Followed {
  readonly entry: LogEntry;
  /** The verified entries that have been read, by version, up to the newest one. */
  readonly log: ReadonlyMap<number, LogEntry>;
  /** The steps from the verified entry to the newest one, the oldest first; `null` when they were not read. */
  readonly steps: readonly StoredObject[] | null;
}

/**
 * The newest entry that follows a verified one. Every entry in between is read, and must be signed by a key that the
 * one before it names.
 */
async function lastAfter(storage: Storage, from: LogEntry, verify?: Verify): Promise<LogEntry> {
  let entry = from;
  for (;;) {
    const next = await readNext(storage, entry, verify);
    if (next === null) return entry;
    entry = next;
  }
}

/**
 * Reads the newest entry, and the steps to it from a verified entry; `null` when another way is needed. The steps prove
 * that the newest entry follows the verified one. The entry that the hint names must be signed by a key that the
 * verified entry names.
 */
async function followSteps(
  storage: Storage,
  before: LogEntry,
  hint: number,
  verify?: Verify,
): Promise<{ entry: LogEntry; steps: StoredObject[] } | null> {
  const { list, version, nextSigners } = before.manifest;
  if (hint <= version || hint > MAX_VERSION) return null;
  const hinted = await readEntry(storage, list, hint);
  if (hinted === null || !(await isSignedByOne(hinted.note, nextSigners, verify))) return null;
  const entry = await lastAfter(storage, hinted, verify);
  const steps = await readSteps(storage, entry, before);
  return steps && { entry, steps };
}

/** Follows the log from an entry that was verified before. The entry must still be in the log. */
async function follow(
  options: LoadOptions,
  before: LogEntry,
  known: ReadonlyMap<number, LogEntry>,
): Promise<Followed> {
  const { verify } = options;
  const storage = remembering(options.storage);
  const { list, version } = before.manifest;
  const log = new Map([...known, [version, before] as const].slice(-MAX_LOG));
  const hint = await readHint(storage, list);
  const stepped = await followSteps(storage, before, hint, verify);
  if (stepped !== null) {
    const { entry } = stepped;
    return { ...stepped, log: new Map([...log, [entry.manifest.version, entry] as const]) };
  }
  const still = await readEntry(storage, list, version);
  if (still === null) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} was rolled back: version ${version} is gone`,
    );
  }
  if (still.hash !== before.hash) {
    throw new StoreError(
      "forked",
      `Version ${version} of ${list} is not the one that was seen before`,
    );
  }
  let entry = before;
  for (;;) {
    const next =
      (await skipAhead(storage, entry, hint, verify)) ?? (await readNext(storage, entry, verify));
    if (next === null) {
      await checkNoGap(storage, entry, hint);
      return { entry, log, steps: null };
    }
    entry = next;
    log.set(entry.manifest.version, entry);
    if (log.size > MAX_LOG) log.delete(log.keys().next().value!);
  }
}

/** The prefixes of a version, made from older ones by steps; `null` when the steps do not result in these prefixes. */
async function stepped(
  { entry, steps }: Followed,
  words: PrefixWords,
  make: MakeSnapshot,
): Promise<Snapshot | null> {
  try {
    return await stepToSnapshot(entry.manifest, words, steps!, make);
  } catch (error) {
    // A publisher wrote a wrong step, or the reader's prefixes belong to another version.
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/**
 * The prefixes of a version, made from older ones; `null` when that takes more bytes than the whole list, or a change
 * cannot be read.
 */
async function advanced(
  storage: Storage,
  followed: Followed,
  layers: Layers,
  { entry: { manifest }, words }: Pick<LoadedList, "entry" | "words">,
  make: MakeSnapshot,
): Promise<Snapshot | null> {
  const { entry, log } = followed;
  const isTooMuch = (changes: readonly ChangeObjects[], manifests: number) =>
    changeBytes(changes) + manifests * MANIFEST_BYTES > wholeBytes(layers);
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
  let layers: Layers | undefined;
  let snapshot: Snapshot | null = null;
  if (before !== null) {
    const { words = wordsOf(before.prefixes), prefixes } = before;
    // The prefixes and the entry may belong to different versions, because a reader keeps them in two files.
    if (prefixes.checksum === manifest.contents.checksum) snapshot = { prefixes, words };
    else if (followed.steps !== null) snapshot = await stepped(followed, words, make);
    if (snapshot === null) {
      layers = await readLayers(storage, manifest);
      snapshot = await advanced(storage, followed, layers, { entry: before.entry, words }, make);
    }
  }
  if (snapshot === null) {
    layers ??= await readLayers(storage, manifest);
    snapshot = await loadSnapshot(storage, manifest, layers, make);
  }
  return { entry, ...snapshot, layers, log };
}

/**
 * Throws when a version was signed more than a day in the future, or has expired and expired versions are not allowed.
 */
function checkTimesOf(entry: LogEntry, { now = Date.now, allowsExpired = false }: LoadOptions) {
  const { expires } = entry.manifest;
  checkTimes(entry, allowsExpired ? Math.min(now(), expires - 1) : now());
}

/**
 * Brings a reader to the newest version of a list. It downloads the differences since the reader's version or the whole
 * list, whichever should take fewer bytes. Returns `null` when neither the reader nor the store has a version.
 *
 * For a reader that has no version, the newest one must be signed with one of the public keys. Otherwise, the next
 * version that is read must be signed with a key that the reader's own version names, and so on, so publishers can
 * change keys. If there is no newer version, a {@link LoadedList} is returned unchanged.
 *
 * @throws {StoreError} when the stored list cannot be read or trusted, is damaged or has expired. The reader keeps its
 * version.
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
      { entry: newest, log: new Map([[newest.manifest.version, newest]]), steps: null },
      null,
    );
  }
  const followed = await follow(options, before.entry, "log" in before ? before.log : new Map());
  checkTimesOf(followed.entry, options);
  if (followed.entry === before.entry && "log" in before) return before;
  return load(options, followed, before);
}
