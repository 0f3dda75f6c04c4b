import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { listOfWords, NO_WORDS, PREFIX_BYTES, wordsOf } from "../contents/prefix-words.ts";
import { REST_LENGTHS } from "../contents/rests.ts";
import type { Snapshot } from "../contents/snapshot.ts";
import type { LogEntry } from "../manifest.ts";
import { checkTimes } from "../manifest.ts";
import type { Sha256 } from "../objects.ts";
import { openLog } from "../read-log.ts";
import { remembering } from "../storage.ts";
import { trustedBefore } from "../trusted-log.ts";
import { followLog } from "./follow-log.ts";
import type { KeptVersion, LoadedList, LoadOptions } from "./loaded-list.ts";
import { lengthOf, withLongerPrefixes } from "./longer-prefixes.ts";
import { makeNewestList } from "./make-newest-list.ts";

/** Throws when a version was signed more than a day in the future. Expired versions are refused, unless allowed. */
function checkTimesOf(entry: LogEntry, { now = Date.now, allowsExpired = false }: LoadOptions) {
  const { expires } = entry.manifest;
  checkTimes(entry, allowsExpired ? Math.min(now(), expires - 1) : now());
}

/** The lengths of prefixes that a reader can have, in bytes. */
export const PREFIX_LENGTHS: readonly number[] = [PREFIX_BYTES, ...REST_LENGTHS, FULL_HASH_BYTES];

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
