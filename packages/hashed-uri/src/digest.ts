import { isUint8Array, toHex } from "@x/sha256-prefix";
import type { HashAlgorithm } from "./algorithms.ts";
import { typeError } from "./type-error.ts";

const encoder = new TextEncoder();

/** What is hashed: the text's octets and nothing around them (§4.3 step 3). */
export function toOctets(canonical: string): Uint8Array {
  return encoder.encode(canonical);
}

/** §4.3 steps (3) and (4). */
export function hexDigest(octets: Uint8Array, hash: HashAlgorithm): string {
  const digest = hash(octets);
  if (!isUint8Array(digest))
    throw typeError("what a hash algorithm returns", "a Uint8Array", digest);
  if (digest.length === 0) throw new TypeError("what a hash algorithm returns must not be empty");
  return toHex(digest);
}
