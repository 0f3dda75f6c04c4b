import { createHash } from "node:crypto";
import { StoreError } from "./error.ts";
import { objectKey } from "./keys.ts";
import type { Storage } from "./storage/storage.ts";

/** The SHA-256 of bytes in lower-case hex, which is the name of an object. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Stores an object, and returns its hash. `onCreated` is called when there was no such object.
 *
 * An object that already exists is written again, so that garbage collection treats it as new.
 */
export async function putObject(
  storage: Storage,
  bytes: Uint8Array,
  onCreated?: (hash: string) => void,
): Promise<string> {
  const hash = hashOf(bytes);
  const key = objectKey(hash);
  if (await storage.create(key, bytes)) onCreated?.(hash);
  else await storage.put(key, bytes);
  return hash;
}

/** Longer objects are hashed in another thread. */
const MAX_BYTES_HASHED_HERE = 2 ** 16;

/** The bytes of an object that is at most `most` bytes long, checked against its hash. */
export async function getObject(
  storage: Storage,
  hash: string,
  most?: number,
): Promise<Uint8Array> {
  const bytes = await getUncheckedObject(storage, hash, most);
  if (bytes.length <= MAX_BYTES_HASHED_HERE) return checkObject(bytes, hash);
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return checkHash(bytes, Buffer.from(digest).toString("hex"), hash);
}

/**
 * The bytes that the storage has for an object, if there are at most `most` of them. Check them with
 * {@link checkObject} before they are used.
 */
export async function getUncheckedObject(
  storage: Storage,
  hash: string,
  most?: number,
): Promise<Uint8Array> {
  const bytes = await storage.get(objectKey(hash), most);
  if (bytes === null) throw new StoreError("missing", `The object ${hash} is missing`);
  return bytes;
}

/** Returns the bytes of an object, and throws unless they have its hash. */
export function checkObject(bytes: Uint8Array, hash: string): Uint8Array {
  return checkHash(bytes, hashOf(bytes), hash);
}

function checkHash(bytes: Uint8Array, found: string, expected: string): Uint8Array {
  if (found === expected) return bytes;
  throw new StoreError("damaged", `The object ${expected} is damaged: its bytes have another hash`);
}
