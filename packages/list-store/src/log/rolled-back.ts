import type { Storage } from "../storage/storage.ts";
import { type LogEntry, readPrevious } from "./commit-log.ts";

/**
 * The version with these shards that a rollback took back: one between the version that the newest one restores and the
 * newest one; `null` when there is none.
 *
 * The rollback is recorded in the log itself, so every publisher knows of it, on whatever machine, and it is undone by
 * the first version with other contents.
 */
export async function findRolledBack(
  storage: Storage,
  newest: LogEntry,
  shards: string,
): Promise<number | null> {
  const { restores } = newest.manifest;
  if (restores === undefined) return null;
  for (let entry = await readPrevious(storage, newest); entry !== null; ) {
    const { version, contents } = entry.manifest;
    if (version <= restores) return null;
    if (contents.shards === shards) return version;
    entry = await readPrevious(storage, entry);
  }
  return null;
}
