import { randomUUID } from "node:crypto";
import { StoreError } from "./error.ts";
import { UNFINISHED_FOLDER } from "./keys.ts";
import type { Storage } from "./storage/storage.ts";

/** Throws when the storage replaces a key that exists: on such a storage, publishers would overwrite each other. */
export async function checkCreateOnly(storage: Storage): Promise<void> {
  const key = `${UNFINISHED_FOLDER}probe-${randomUUID()}`;
  const bytes = Buffer.from("Does this storage keep what was created?\n");
  try {
    await storage.create(key, bytes);
    if (!(await storage.create(key, bytes))) return;
  } finally {
    await storage.delete(key);
  }
  throw new StoreError(
    "not-create-only",
    "The storage replaces keys that exist, so two publishers could overwrite each other's versions",
  );
}
