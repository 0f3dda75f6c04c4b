import { isOctets, toHex } from "@x/sha256-prefix";
import type { HashAlgorithm } from "./algorithms.ts";

const encoder = new TextEncoder();

/** What is hashed: the text's octets and nothing around them (§4.3 step 3). */
export function toOctets(canonical: string): Uint8Array {
  return encoder.encode(canonical);
}

/** §4.3 steps (3) and (4). */
export function hexDigest(octets: Uint8Array, hash: HashAlgorithm): string {
  const digest = hash(octets);
  if (!isOctets(digest) || digest.length === 0) {
    throw new TypeError("a hash algorithm must return a Uint8Array that is not empty");
  }
  return toHex(digest);
}
