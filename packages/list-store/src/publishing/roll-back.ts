import { readContents, type StoredContents } from "../contents/stored-contents.ts";
import { StoreError } from "../error.ts";
import type { LogEntry } from "../manifest.ts";
import { readOlder, readPrevious } from "../read-log.ts";
import type { Storage } from "../storage.ts";
import type { TrustedLog } from "../trusted-log.ts";

/** An older version, verified by the hashes in newer ones, so its own signature is not needed. */
export async function findVersion(
  storage: Storage,
  log: TrustedLog,
  version: number,
): Promise<LogEntry> {
  const { list, version: newest } = log.newest.manifest;
  if (version >= 1 && version <= newest) return readOlder(storage, log, version);
  throw new StoreError("missing", `The store has no version ${version} of list ${list}`);
}

async function isKept(storage: Storage, { manifest }: LogEntry): Promise<boolean> {
  return readContents(storage, manifest).then(
    () => true,
    () => false,
  );
}

/**
 * The entries of a version. If the store no longer has all of them, the error names the later versions that could be
 * used instead.
 */
export async function readKeptContents(
  storage: Storage,
  newest: LogEntry,
  { manifest }: LogEntry,
): Promise<StoredContents> {
  try {
    return await readContents(storage, manifest);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    const { list, version } = manifest;
    const kept: number[] = [];
    let entry: LogEntry | null = newest;
    while (entry !== null && entry.manifest.version > version) {
      if (await isKept(storage, entry)) kept.push(entry.manifest.version);
      entry = await readPrevious(storage, entry);
    }
    throw new StoreError(
      "collected",
      `The store no longer has all of version ${version} of ${list}, but it has ${kept.length === 1 ? "version" : "versions"} ${kept.reverse().join(", ")}`,
      { cause: error },
    );
  }
}
