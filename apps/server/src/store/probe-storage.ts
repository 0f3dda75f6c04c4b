import { randomUUID } from "node:crypto";
import { StoreError } from "./error.ts";
import { UNFINISHED_FOLDER } from "./keys.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * Creates a key, and returns the time that the storage gives it, in milliseconds since 1970; `null` when it gives none.
 *
 * Throws when the storage replaces a key that exists: on such a storage, publishers would overwrite each other.
 */
export async function probeStorage(storage: Storage): Promise<number | null> {
  const name = `probe-${randomUUID()}`;
  const key = UNFINISHED_FOLDER + name;
  const bytes = Buffer.from("Does this storage keep what was created?\n");
  try {
    await storage.create(key, bytes);
    if (!(await storage.create(key, bytes))) {
      const entries = await storage.list(UNFINISHED_FOLDER);
      return entries.find((entry) => entry.name === name)?.modified ?? null;
    }
  } finally {
    await storage.delete(key);
  }
  throw new StoreError(
    "not-create-only",
    "The storage replaces keys that exist, so two publishers could overwrite each other's versions",
  );
}
