import { checkTimes, type LogEntry } from "../log/entry.ts";
import { openLog } from "../log/read-log.ts";
import { trustedBefore } from "../log/trusted-log.ts";
import { followLog } from "./follow-log.ts";
import type { KeptList, LoadedList, LoadOptions } from "./loaded-list.ts";
import { stepsOrWholeList } from "./steps-or-whole-list.ts";

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
    return stepsOrWholeList(options, log, null, null);
  }
  const known = "log" in before ? before.log : undefined;
  const log = trustedBefore(before.entry, { verify, known });
  const steps = await followLog(storage, log, { verify });
  checkTimesOf(log.newest, options);
  if (log.newest === before.entry && "log" in before) return before;
  return stepsOrWholeList(options, log, before, steps);
}
