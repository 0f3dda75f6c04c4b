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
  return checkObject(await getUncheckedObject(storage, hash), hash);
}

/** The bytes that the storage has for an object. Check them with {@link checkObject} before they are used. */
export async function getUncheckedObject(storage: Storage, hash: string): Promise<Uint8Array> {
  const bytes = await storage.get(objectKey(hash));
  if (bytes === null) throw new StoreError("missing", `The object ${hash} is missing`);
  return bytes;
}

/** Returns the bytes of an object, and throws unless they have its hash. */
export function checkObject(bytes: Uint8Array, hash: string): Uint8Array {
  if (hashOf(bytes) === hash) return bytes;
  throw new StoreError("damaged", `The object ${hash} is damaged: its bytes have another hash`);
}
