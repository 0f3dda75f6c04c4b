import { fullHash, toHex } from "@x/sha256-prefix";
import { StoreError } from "./error.ts";
import { objectKey } from "./keys.ts";
import type { Storage } from "./storage.ts";

/** Up to this many bytes are hashed on this thread, because passing them to another thread would take longer. */
const SHORT_BYTES = 4096;

/**
 * The SHA-256 of bytes in lower-case hex, which is the name of an object with these bytes. Web Crypto computes the hash
 * of more than {@link SHORT_BYTES}, in another thread where possible.
 */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SHORT_BYTES) return toHex(fullHash(bytes));
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return toHex(new Uint8Array(digest));
}

/** The bytes of an object that is at most `most` bytes long, checked against its hash. */
export async function getObject(
  storage: Storage,
  hash: string,
  most?: number,
): Promise<Uint8Array> {
  const bytes = await storage.get(objectKey(hash), most);
  if (bytes === null) throw new StoreError("missing", `The object ${hash} is missing`);
  if ((await hashOf(bytes)) === hash) return bytes;
  throw new StoreError("damaged", `The object ${hash} is damaged: its bytes have another hash`);
}

/** Whether a value is the hash of an object, in lower-case hex. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Computes the SHA-256 of bytes synchronously. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;
