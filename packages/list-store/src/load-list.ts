import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  loadSnapshot,
  type MakeSnapshot,
  makeSnapshot,
  type Snapshot,
  stepToSnapshot,
} from "./contents.ts";
import { StoreError } from "./error.ts";
import { readSteps } from "./follow-steps.ts";
import type { StoredObject } from "./layers.ts";
import { readLayers } from "./layers.ts";
import type { KeptVersion, LoadedList, LoadOptions } from "./loaded-list.ts";
import { checkNoGap, readEntry, readHint } from "./log-files.ts";
import { lengthOf, withLongerPrefixes } from "./longer-prefixes.ts";
import { checkTimes, type LogEntry } from "./manifest.ts";
import type { Sha256 } from "./objects.ts";
import { openLog, readNext } from "./read-log.ts";
import { LONG_PREFIX_BYTES } from "./rests.ts";
import { remembering, type Storage } from "./storage.ts";
import {
  checkSame,
  LINK_BASE,
  signedBy,
  type TrustedLog,
  type TrustOptions,
  trustedBefore,
} from "./trusted-log.ts";
import { listOfWords, NO_WORDS, PREFIX_BYTES, type PrefixWords, wordsOf } from "./words.ts";

/** Throws when a version was signed more than a day in the future. Expired versions are refused, unless allowed. */
function checkTimesOf(entry: LogEntry, { now = Date.now, allowsExpired = false }: LoadOptions) {
  const { expires } = entry.manifest;
  checkTimes(entry, allowsExpired ? Math.min(now(), expires - 1) : now());
}

/** The lengths of prefixes that a reader can have, in bytes. */
export const PREFIX_LENGTHS: readonly number[] = [PREFIX_BYTES, LONG_PREFIX_BYTES, FULL_HASH_BYTES];

function checkLength(prefixBytes: number): void {
  if (PREFIX_LENGTHS.includes(prefixBytes)) return;
  throw new RangeError(
    `prefixBytes must be one of ${PREFIX_LENGTHS.join(", ")}, not ${prefixBytes}`,
  );
}

/** Shortens the prefixes that a reader keeps to four bytes. */
function shortened(
  { prefixes, words }: KeptVersion & Partial<LoadedList>,
  sha256?: Sha256,
): Snapshot {
  const short = words ?? wordsOf(prefixes);
  if ((lengthOf(prefixes) ?? PREFIX_BYTES) === PREFIX_BYTES) return { prefixes, words: short };
  const { name, created } = prefixes;
  return { prefixes: listOfWords(short, name, created, sha256), words: short };
}

/** A retired list, as it was last read. It stays empty, so its files are not needed any more. */
function retiredList(before: KeptVersion | LoadedList, sha256?: Sha256): LoadedList {
  if ("log" in before) return before;
  const { entry } = before;
  const { list, version, issued } = entry.manifest;
  const prefixes = listOfWords(NO_WORDS, list, issued, sha256);
  return { entry, prefixes, words: NO_WORDS, log: new Map([[version, entry]]) };
}

/**
 * Brings a reader to the newest version of a list. The function downloads the differences since the reader's version or
 * the whole list, whichever should take fewer bytes. Returns `null` when neither the reader nor the store has a
 * version.
 *
 * For a reader that has no version, the newest one must be signed with one of the public keys. Otherwise, the next
 * version that is read must be signed with a key that the reader's own version names, and so on, so publishers can
 * change keys. If there is no newer version, a {@link LoadedList} is returned unchanged. A reader that has seen a
 * retirement reads nothing, and keeps the empty list.
 *
 * @throws {StoreError} when the stored list cannot be read or trusted, is damaged or has expired. The reader keeps its
 * version.
 * @throws {RangeError} when `prefixBytes` is not one of {@link PREFIX_LENGTHS}.
 */
export async function loadList(
  options: LoadOptions,
  before: KeptVersion | LoadedList | null = null,
): Promise<LoadedList | null> {
  const { verify, sha256, prefixBytes = PREFIX_BYTES } = options;
  checkLength(prefixBytes);
  const isLong = prefixBytes > PREFIX_BYTES;
  // To load longer prefixes, objects with prefixes of four bytes are read twice, so they must not be transferred to
  // another thread.
  const storage = isLong ? remembering(options.storage) : options.storage;
  const reading = isLong ? { ...options, storage, makeSnapshot: undefined } : options;
  const lengthened = (list: LoadedList, same: KeptVersion | null) =>
    isLong ? withLongerPrefixes(list, same, prefixBytes, reading) : list;
  if (before === null) {
    const log = await openLog(reading);
    if (log === null) return null;
    checkTimesOf(log.newest, options);
    return lengthened(await makeNewestList(reading, log, null, null), null);
  }
  if (before.entry.manifest.retired) return retiredList(before, sha256);
  const known = "log" in before ? before.log : undefined;
  const log = trustedBefore(before.entry, { verify, known });
  const steps = await followLog(storage, log, { verify });
  checkTimesOf(log.newest, options);
  const isSameLength = (lengthOf(before.prefixes) ?? prefixBytes) === prefixBytes;
  if (log.newest === before.entry && "log" in before && isSameLength) return before;
  const short = shortened(before, sha256);
  const { checksum } = before.entry.manifest.contents;
  const isSame = isSameLength && short.prefixes.checksum === checksum;
  return lengthened(await makeNewestList(reading, log, short, steps), isSame ? before : null);
}

/**
 * Skips to a version as far ahead as hashes allow, up to version `most`. Returns `false` when the next version has to
 * be read instead.
 */
async function skipAhead(storage: Storage, log: TrustedLog, most: number): Promise<boolean> {
  const { list, version } = log.newest.manifest;
  let step = 1;
  while (version % (step * LINK_BASE) === 0 && version + step < most) step *= LINK_BASE;
  for (; step > 1; step /= LINK_BASE) {
    const entry = await readEntry(storage, list, Math.min(version + step, most));
    if (entry !== null && (await log.skipTo(entry))) return true;
  }
  return false;
}

/**
 * Follows steps to the newest version. The steps prove that its log contains the newest trusted entry. Returns `null`
 * when steps cannot be used. The entry that the hint names must be signed by a key that the newest trusted entry names.
 */
async function followSteps(
  storage: Storage,
  log: TrustedLog,
  hint: number,
  options: TrustOptions,
): Promise<readonly StoredObject[] | null> {
  const { list, version, nextSigners } = log.newest.manifest;
  if (hint <= version) return null;
  const hinted = await readEntry(storage, list, hint);
  const later = hinted && (await signedBy(nextSigners, hinted, options));
  if (later === null) return null;
  while (await readNext(storage, later));
  const read = await readSteps(storage, later.newest, version);
  if (read === null) return null;
  log.continueAs(later, read.first);
  return read.steps;
}

/**
 * Brings a log to the newest version. Returns the steps from the entry that was its newest one, or `null` when no steps
 * were used. Without steps, that entry must still be in the storage.
 */
async function followLog(
  files: Storage,
  log: TrustedLog,
  options: TrustOptions,
): Promise<readonly StoredObject[] | null> {
  const storage = remembering(files);
  const { hash, manifest } = log.newest;
  const { list, version } = manifest;
  const hint = await readHint(storage, list);
  const steps = await followSteps(storage, log, hint, options);
  if (steps !== null) return steps;
  const still = await readEntry(storage, list, version);
  if (still === null) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} was rolled back: version ${version} is gone`,
    );
  }
  checkSame(still, { version, hash });
  while ((await skipAhead(storage, log, hint)) || (await readNext(storage, log)));
  await checkNoGap(storage, log.newest, hint);
  return null;
}

/**
 * The prefixes of a version, made from older ones by steps; `null` when the steps do not result in the signed prefixes.
 */
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

/**
 * Makes the newest version of a log from the prefixes that the reader keeps and from steps, or else from the whole
 * list.
 *
 * @param before the prefixes of four bytes that the reader keeps; `null` if there are none.
 * @param steps the steps since then; `null` when `readSteps` found that the whole list takes fewer bytes, or that steps
 * are missing.
 */
async function makeNewestList(
  { storage, sha256, makeSnapshot: make = (parts) => makeSnapshot(parts, sha256) }: LoadOptions,
  log: TrustedLog,
  before: Snapshot | null,
  steps: readonly StoredObject[] | null,
): Promise<LoadedList> {
  const { newest: entry, entries } = log;
  const { manifest } = entry;
  let snapshot: Snapshot | null = null;
  if (before !== null) {
    const { words, prefixes } = before;
    // The prefixes and the entry may belong to different versions, because a reader keeps them in two files.
    if (prefixes.checksum === manifest.contents.checksum) snapshot = { prefixes, words };
    else if (steps !== null) snapshot = await stepped(entry, words, steps, make);
  }
  if (snapshot !== null) return { entry, ...snapshot, log: entries };
  const layers = await readLayers(storage, manifest);
  return { entry, ...(await loadSnapshot(storage, manifest, layers, make)), layers, log: entries };
}
