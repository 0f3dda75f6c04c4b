import { decodeText, encodeText, equalBytes } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { headKey, versionKey } from "../keys.ts";
import type { Storage } from "../storage/storage.ts";
import { type LogEntry, parseEntry } from "./entry.ts";

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
