import { StoreError } from "../error.ts";
import { MAX_VERSION, parseVersion, versionKey, versionsFolder } from "../keys.ts";
import type { Storage } from "../storage/storage.ts";
import type { LogEntry } from "./entry.ts";
import { readEntry, readHint } from "./log-files.ts";

/**
 * The highest version in the listing; 0 if the storage has no listings, which is safe because version 1 is never
 * deleted.
 */
async function highestListed(storage: Storage, list: string): Promise<number> {
  let highest = 0;
  const entries = await storage.list(versionsFolder(list)).catch((error) => {
    if (error instanceof StoreError && error.code === "unsupported") return [];
    throw error;
  });
  for (const { name } of entries) {
    highest = Math.max(highest, parseVersion(name) ?? 0);
  }
  return highest;
}

/** The maximum distance above the highest version found at which later versions are searched for. */
const MAX_LOOK_AHEAD = 2 ** 20;

/**
 * The highest stored version at or above `from`, which must be a stored version or 0. The search doubles its steps and
 * then halves them, because `from` may be far behind.
 *
 * Versions below the result may be missing. Readers notice that, because every manifest contains the hash of the one
 * before. The search also looks 2, 4, 8 and more versions above the result. If one of these exists, the version after
 * the result is missing, and the function throws `missing`. Otherwise, readers would stay below the gap, and publishers
 * would fork the log.
 */
async function highestStored(storage: Storage, list: string, from: number): Promise<number> {
  const isStored = async (version: number) =>
    version <= MAX_VERSION && (await storage.get(versionKey(list, version))) !== null;
  let low = from;
  for (;;) {
    let step = 1;
    for (; await isStored(low + step); step *= 2) low += step;
    while (step > 1) {
      step /= 2;
      if (await isStored(low + step)) low += step;
    }
    let above = 0;
    for (let step = 2; above === 0 && step <= MAX_LOOK_AHEAD; step *= 2) {
      if (await isStored(low + step)) above = low + step;
    }
    if (above === 0) return low;
    // Other publishers may have created all these versions in the meantime.
    if (!(await isStored(low + 1))) {
      throw new StoreError(
        "missing",
        `Version ${low + 1} of ${list} is missing, but version ${above} is there`,
      );
    }
    low = above;
  }
}

/** The newest entry, found by searching from the hint upwards. Its signatures are not verified. */
export async function findNewest(
  storage: Storage,
  list: string,
  atLeast: number,
): Promise<LogEntry | null> {
  const hint = Math.max(await readHint(storage, list), atLeast);
  const isThere = hint > 0 && (await storage.get(versionKey(list, hint))) !== null;
  // When the hint is missing or wrong, the listing of the log is used.
  const from = isThere ? hint : await highestListed(storage, list);
  const highest = await highestStored(storage, list, from);
  return highest === 0 ? null : readEntry(storage, list, highest);
}

/**
 * Throws when there is no version after an entry, although the later version that the hint names exists. Without this
 * check, a reader that stays at the entry would not notice that it is missing newer versions until its own version
 * expires.
 */
export async function checkNoGap(
  storage: Storage,
  { manifest: { list, version } }: LogEntry,
  hint: number,
): Promise<void> {
  const isStored = async (version: number) =>
    (await storage.get(versionKey(list, version))) !== null;
  if (hint <= version || !(await isStored(hint))) return;
  // The next version may have been published in the meantime.
  if (await isStored(version + 1)) return;
  throw new StoreError(
    "missing",
    `Version ${version + 1} of ${list} is missing, but version ${hint} is there`,
  );
}
