import { decodeText, encodeText, equalBytes } from "./bytes.ts";
import { StoreError } from "./error.ts";
import { type LogEntry, parseEntry } from "./manifest.ts";
import {
  headKey,
  isListName,
  LISTS_FOLDER,
  MAX_VERSION,
  parseVersion,
  remembering,
  type Storage,
  versionKey,
  versionsFolder,
} from "./storage.ts";

/* Reads and writes the files of a log. Nothing that is read here is trusted yet; see `trusted-log.ts`. */

/** The entry of one version, with unverified signatures; `null` when there is none. */
export async function readEntry(
  storage: Storage,
  list: string,
  version: number,
): Promise<LogEntry | null> {
  const note = await storage.get(versionKey(list, version));
  return note && parseEntry(note, list, version);
}

/** The version that the hint names; 0 when there is no usable hint. */
export async function readHint(storage: Storage, list: string): Promise<number> {
  const hint = await storage.get(headKey(list));
  const text = hint === null ? "" : decodeText(hint);
  return /^\d{1,12}\n$/.test(text) ? Number(text) : 0;
}

/**
 * Creates the next version in the log. `false` means that another publisher was faster.
 *
 * When it is unclear whether the storage created the key, the key is read back and compared.
 *
 * @throws {StoreError} `damaged` when the version can be neither created nor read, so that trying again would never
 * end.
 */
export async function commit(
  storage: Storage,
  list: string,
  version: number,
  note: Uint8Array,
): Promise<boolean> {
  const key = versionKey(list, version);
  try {
    if (await storage.create(key, note)) return true;
  } catch (error) {
    if ((await storage.get(key)) === null) throw error;
  }
  const found = await storage.get(key);
  if (found !== null) return equalBytes(note, found);
  throw new StoreError(
    "damaged",
    `Version ${version} of ${list} can be neither created nor read: look at ${key} in the store`,
  );
}

/** Writes the hint: the version from which readers look for newer ones, so it need not be current. */
export async function writeHint(storage: Storage, list: string, version: number): Promise<void> {
  await storage.put(headKey(list), encodeText(`${version}\n`));
}

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
/** The maximum number of searches that may end below a version which appeared in the meantime. */
const MAX_SEARCHES = 8;

/**
 * The highest stored version at or above `from`, which must be a stored version or 0. The search doubles its steps and
 * then halves them, because `from` may be far behind.
 *
 * Versions below the result may be missing. Readers notice that, because every manifest contains the hash of the one
 * before. With `looksAhead`, the search also looks 2, 4, 8 and more versions above the result. If one of these exists,
 * the version after the result is missing, and the function throws `missing`. Otherwise, publishers would fork the log.
 *
 * A host that shows a newer version after each search is given up (`damaged`).
 */
async function highestStored(
  storage: Storage,
  list: string,
  from: number,
  looksAhead: boolean,
): Promise<number> {
  const isStored = async (version: number) =>
    version <= MAX_VERSION && (await storage.get(versionKey(list, version))) !== null;
  let low = from;
  for (let searches = 0; searches < MAX_SEARCHES; searches++) {
    let step = 1;
    for (; await isStored(low + step); step *= 2) low += step;
    while (step > 1) {
      step /= 2;
      if (await isStored(low + step)) low += step;
    }
    if (!looksAhead) return low;
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
  throw new StoreError(
    "damaged",
    `The store shows a newer version of ${list} after each one that is read, so the newest one cannot be found`,
  );
}

/** How to look for the newest version. */
export interface NewestOptions {
  /** A version that must exist; 0 by default. */
  readonly atLeast?: number;
  /**
   * Whether to look for gaps only as far as the hint; `false` by default. A reader may do so, because it never stays
   * below the version that the hint names, nor below those that follow it without a gap. If versions are missing just
   * above the hint, the reader is behind until the hint names a later one. A publisher would fork the log there.
   */
  readonly trustsHint?: boolean;
}

/** The number of the newest version, found by searching from the hint upwards; 0 if there is none. */
export async function newestVersion(
  storage: Storage,
  list: string,
  { atLeast = 0, trustsHint }: NewestOptions,
): Promise<number> {
  const hint = await readHint(storage, list);
  const start = Math.max(hint, atLeast);
  const isThere = start > 0 && (await storage.get(versionKey(list, start))) !== null;
  // When the hint is missing or wrong, the listing of the log is used.
  const from = isThere ? start : await highestListed(storage, list);
  return highestStored(storage, list, from, !(trustsHint && isThere && hint >= atLeast));
}

/** The newest entry. Its signatures are not verified. */
export async function findNewest(
  files: Storage,
  list: string,
  options: NewestOptions,
): Promise<LogEntry | null> {
  const storage = remembering(files);
  const version = await newestVersion(storage, list, options);
  return version === 0 ? null : readEntry(storage, list, version);
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

/** The names of the lists in a store. Folders that other programs made, such as `@eaDir`, are skipped. */
export async function listNames(storage: Storage): Promise<string[]> {
  const entries = await storage.list(LISTS_FOLDER);
  const folders = entries.filter(({ name }) => name.endsWith("/"));
  return folders.map(({ name }) => name.slice(0, -1)).filter(isListName);
}
