import { toHex } from "@x/sha256-prefix";
import type { HashAlgorithm } from "./algorithms.ts";

const encoder = new TextEncoder();

/** What is hashed: the text's octets and nothing around them (§4.3 step 3). */
export function toOctets(canonical: string): Uint8Array {
  return encoder.encode(canonical);
}

/** §4.3 steps (3) and (4). */
export function hexDigest(octets: Uint8Array, hash: HashAlgorithm): string {
  const digest = hash(octets);
  // Not `instanceof`: a platform's hash may give octets of another realm.
  const isOctets = Object.prototype.toString.call(digest) === "[object Uint8Array]";
  if (!isOctets || digest.length === 0) {
    throw new TypeError("a hash algorithm must return a Uint8Array that is not empty");
  }
  return toHex(digest);
}
