import type { PrefixList } from "@x/prefix-list";
import { type Layers, readLayers } from "../contents/layers.ts";
import { type PrefixWords, wordsOf } from "../contents/prefix-words.ts";
import {
  loadSnapshot,
  type MakeSnapshot,
  makeSnapshot,
  type Snapshot,
  stepToSnapshot,
} from "../contents/snapshot.ts";
import type { StoredObject } from "../contents/stored-prefixes.ts";
import { StoreError } from "../error.ts";
import { checkTimes, type LogEntry } from "../log/entry.ts";
import { openLog, type StoredList } from "../log/read-log.ts";
import { type TrustedLog, trustedBefore } from "../log/trusted-log.ts";
import { followLog } from "./follow-log.ts";

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

/** The prefixes of a version, made from older ones by steps; `null` when the steps do not result in these prefixes. */
async function stepped(
  { manifest }: LogEntry,
  words: PrefixWords,
  steps: readonly StoredObject[],
  make: MakeSnapshot,
): Promise<Snapshot | null> {
  try {
    return await stepToSnapshot(manifest, words, steps, make);
  } catch (error) {
    // A publisher wrote a wrong step, or the reader's prefixes belong to another version.
    if (error instanceof StoreError) return null;
    throw error;
  }
}

async function load(
  { storage, sha256, makeSnapshot: make = (parts) => makeSnapshot(parts, sha256) }: LoadOptions,
  log: TrustedLog,
  before: (KeptList & Partial<LoadedList>) | null,
  steps: readonly StoredObject[] | null,
): Promise<LoadedList> {
  const { newest: entry, entries } = log;
  const { manifest } = entry;
  let snapshot: Snapshot | null = null;
  if (before !== null) {
    const { words = wordsOf(before.prefixes), prefixes } = before;
    // The prefixes and the entry may belong to different versions, because a reader keeps them in two files.
    if (prefixes.checksum === manifest.contents.checksum) snapshot = { prefixes, words };
    else if (steps !== null) snapshot = await stepped(entry, words, steps, make);
  }
  if (snapshot !== null) return { entry, ...snapshot, log: entries };
  const layers = await readLayers(storage, manifest);
  return { entry, ...(await loadSnapshot(storage, manifest, layers, make)), layers, log: entries };
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
  const { storage, verify } = options;
  if (before === null) {
    const log = await openLog(options);
    if (log === null) return null;
    checkTimesOf(log.newest, options);
    return load(options, log, null, null);
  }
  const known = "log" in before ? before.log : undefined;
  const log = trustedBefore(before.entry, { verify, known });
  const steps = await followLog(storage, log, { verify });
  checkTimesOf(log.newest, options);
  if (log.newest === before.entry && "log" in before) return before;
  return load(options, log, before, steps);
}
