import { createHash } from "node:crypto";
import { StoreError } from "./error.ts";
import { objectKey } from "./keys.ts";
import type { Storage } from "./storage/storage.ts";

/** The SHA-256 of bytes in lower-case hex, which is the name of an object. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Stores an object, and returns its hash.
 *
 * An object that already exists is written again, so that garbage collection treats it as new.
 */
export async function putObject(storage: Storage, bytes: Uint8Array): Promise<string> {
  const hash = hashOf(bytes);
  const key = objectKey(hash);
  if (!(await storage.create(key, bytes))) await storage.put(key, bytes);
  return hash;
}

/** The bytes of an object, checked against its hash. */
export async function getObject(storage: Storage, hash: string): Promise<Uint8Array> {
  const bytes = await storage.get(objectKey(hash));
  if (bytes === null) throw new StoreError("missing", `The object ${hash} is missing`);
  if (hashOf(bytes) !== hash) {
    throw new StoreError("damaged", `The object ${hash} is damaged: its bytes have another hash`);
  }
  return bytes;
}
