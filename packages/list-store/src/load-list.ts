import type { PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  REQUEST_BYTES,
  readBlock,
  SPAN,
  type StoredObject,
  type WrittenLink,
  walkBack,
} from "./block.ts";
import { isLost, StoreError } from "./error.ts";
import { checkNoGap, readEntry, readHint } from "./log-files.ts";
import { LONG_PREFIX_BYTES, longerPrefixes } from "./longer-prefixes.ts";
import { checkTimes, type LogEntry, type Manifest } from "./manifest.ts";
import { openLog, readNext } from "./read-log.ts";
import {
  checkedSnapshot,
  type KeptVersion,
  type LoadedList,
  type LoadOptions,
  loadSnapshot,
  type MakeSnapshot,
  makeSnapshot,
  makeWords,
  type ProvableWords,
  provable,
  type Snapshot,
} from "./snapshot.ts";
import { remembering, type Sha256, type Storage } from "./storage.ts";
import {
  checkSame,
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

/** A version that a reader keeps, as {@link loadList} returned it. The storage is not read. */
export function loadKept({ entry, prefixes }: KeptVersion): LoadedList {
  const log = new Map([[entry.manifest.version, entry]]);
  return { entry, prefixes, words: wordsOf(prefixes), log };
}

/** A retired list, as it was last read. It stays empty, so its files are not needed any more. */
function retiredList(before: KeptVersion | LoadedList, sha256?: Sha256): LoadedList {
  if ("log" in before) return before;
  const { list, issued } = before.entry.manifest;
  return loadKept({ ...before, prefixes: listOfWords(NO_WORDS, list, issued, sha256) });
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
  // To load longer prefixes, blocks are read twice.
  const storage = isLong ? remembering(options.storage) : options.storage;
  const make = isLong ? makeLongList : makeShortList;
  if (before === null) {
    const log = await openLog({ ...options, storage }, true);
    if (log === null) return null;
    checkTimesOf(log.newest, options);
    return make(options, storage, log, null, null);
  }
  if (before.entry.manifest.retired) return retiredList(before, sha256);
  const known = "log" in before ? before.log : undefined;
  const log = trustedBefore(before.entry, { verify, known });
  const blocks = await followLog(storage, log, { verify });
  checkTimesOf(log.newest, options);
  const isNewest = log.newest === before.entry && "log" in before;
  if (isNewest && hasLength(before.prefixes, prefixBytes)) return before;
  return make(options, storage, log, before, blocks);
}

/** Whether the prefixes of a list have this length. */
function hasLength({ lengths }: PrefixList, prefixBytes: number): boolean {
  return lengths.every((length) => length.prefixBytes === prefixBytes);
}

/**
 * Skips to a version as far ahead as the links in manifests allow, up to version `most`. Returns `false` when the next
 * version has to be read instead.
 */
async function skipAhead(storage: Storage, log: TrustedLog, most: number): Promise<boolean> {
  const { list, version } = log.newest.manifest;
  let step = 1;
  while (version % (step * SPAN) === 0 && version + step * SPAN <= most) step *= SPAN;
  for (; step > 1; step /= SPAN) {
    const entry = await readEntry(storage, list, version + step);
    if (entry !== null && (await log.skipTo(entry))) return true;
  }
  return false;
}

/**
 * Reads the blocks that lead to the newest version, the newest first. They prove that its log contains the newest
 * trusted entry. Returns `null` when the whole list takes fewer bytes, or when a block cannot be read. The entry that
 * the hint names must be signed by a key that the newest trusted entry names.
 */
async function followBlocks(
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
  const read = await readBlocks(storage, later.newest.manifest, version);
  if (read === null) return null;
  log.continueAs(later, read.at(-1)!.link.manifest);
  return read.map(({ block }) => block.stored);
}

/** The approximate cost of downloading a manifest in bytes, including its request. */
const MANIFEST_BYTES = REQUEST_BYTES + 1300;

/** The usual maximum number of bytes in a block besides the codes. */
const HEAD_BYTES = 400;

/**
 * The blocks from version `since` to a newer one, the newest first; `null` when one of them is missing or damaged, or
 * when they would take more bytes than the whole list.
 */
async function readBlocks(storage: Storage, manifest: Manifest, since: number) {
  const { version, base } = manifest;
  // A reader that begins with the base reads the same blocks since then, and must also read manifests as a proof.
  const proof = countBlocks(since, version) * MANIFEST_BYTES;
  const whole = since < base.version ? base.bytes + REQUEST_BYTES + proof : Infinity;
  let codes = 0;
  const isTooMuch = ({ after, bytes }: WrittenLink) => {
    codes += Math.max(0, bytes - HEAD_BYTES);
    // The length of this block and the older ones, estimated from those read so far.
    const left = bytes + codes * ((after - since) / (version - after));
    return left + (1 + countBlocks(since, after)) * REQUEST_BYTES > whole;
  };
  try {
    return await walkBack(manifest, since, (link) => readBlock(storage, link), { isTooMuch });
  } catch (error) {
    // There is always another way to the newest version.
    if (isLost(error)) return null;
    throw error;
  }
}

/** The number of blocks that lead from a version to a newer one, if the publisher has written all of them. */
function countBlocks(older: number, newer: number): number {
  let count = 0;
  for (let version = newer; version > older; count++) {
    let span = 1;
    while (version % (span * SPAN) === 0 && version - span * SPAN >= older) span *= SPAN;
    version -= span;
  }
  return count;
}

/**
 * Brings a log to the newest version. Returns the blocks from the entry that was its newest one, the newest first, or
 * `null` when no blocks were used. Without blocks, that entry must still be in the storage.
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
  const blocks = await followBlocks(storage, log, hint, options);
  if (blocks !== null) return blocks;
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
 * The prefixes of a version, made from older ones by blocks; `null` when the blocks do not result in the signed
 * prefixes.
 */
async function changed<Made extends ProvableWords>(
  { manifest }: LogEntry,
  words: PrefixWords,
  blocks: readonly StoredObject[],
  make: MakeSnapshot<Made>,
): Promise<Made | null> {
  try {
    return await checkedSnapshot(manifest, words, blocks, make);
  } catch (error) {
    // A publisher wrote a wrong block, or the reader's prefixes belong to another version.
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/**
 * Makes the prefixes of the newest version from those that the reader keeps and from blocks, or else from the whole
 * list.
 *
 * @param before the prefixes of four bytes that the reader keeps; `null` if there are none.
 * @param blocks the blocks since then, the newest first; `null` when the whole list takes fewer bytes, or when blocks
 * are missing.
 */
async function newestWords<Made extends ProvableWords>(
  storage: Storage,
  entry: LogEntry,
  before: Made | null,
  blocks: readonly StoredObject[] | null,
  make: MakeSnapshot<Made>,
): Promise<Made> {
  const { manifest } = entry;
  // The prefixes and the entry may belong to different versions, because a reader keeps them in two files.
  if (before?.prefixes.checksum === manifest.contents.checksum) return before;
  const made = before && blocks && (await changed(entry, before.words, blocks, make));
  return made ?? loadSnapshot(storage, manifest, make);
}

/**
 * Makes the newest version of a log from the version that the reader keeps and from blocks, or else from the whole
 * list.
 */
type MakeList = (
  options: LoadOptions,
  storage: Storage,
  log: TrustedLog,
  before: (KeptVersion & Partial<LoadedList>) | null,
  blocks: readonly StoredObject[] | null,
) => Promise<LoadedList>;

const makeShortList: MakeList = async (options, storage, log, before, blocks) => {
  const { sha256, makeSnapshot: make = (parts) => makeSnapshot(parts, sha256) } = options;
  const { newest: entry, entries } = log;
  let short: Snapshot | null = null;
  if (before !== null) {
    const { prefixes, words = wordsOf(prefixes) } = before;
    const { name, created } = prefixes;
    const isShort = hasLength(prefixes, PREFIX_BYTES);
    short = { prefixes: isShort ? prefixes : listOfWords(words, name, created, sha256), words };
  }
  return { entry, ...(await newestWords(storage, entry, short, blocks, make)), log: entries };
};

const makeLongList: MakeList = async (options, storage, log, before, blocks) => {
  const { prefixBytes = LONG_PREFIX_BYTES } = options;
  const { newest: entry, entries } = log;
  const { manifest } = entry;
  const short = before && (await provable(before.words ?? wordsOf(before.prefixes)));
  const { words } = await newestWords<ProvableWords>(storage, entry, short, blocks, makeWords);
  let same: KeptVersion | null = null;
  if (before !== null && hasLength(before.prefixes, prefixBytes)) {
    const { version, contents } = before.entry.manifest;
    const isOwn = short?.prefixes.checksum === contents.checksum;
    // Without blocks, a newer base takes fewer bytes.
    if (isOwn && (blocks !== null || version >= manifest.base.version)) same = before;
  }
  const prefixes = await longerPrefixes(manifest, words, same, options, storage);
  return { entry, words, prefixes, log: entries };
};
