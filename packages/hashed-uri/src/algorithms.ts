import { md5, sha1 } from "@noble/hashes/legacy.js";
import { fullHash, isUint8Array, toHex } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { HashedUriError } from "./error.ts";

/** A hash function from bytes to bytes. All hashes of one function must have the same length. */
export type HashAlgorithm = (bytes: Uint8Array) => Uint8Array;

/** Hash functions by identifier. The identifiers begin with `x-`, in upper or lower case. */
export type HashAlgorithms = Readonly<Record<string, HashAlgorithm>>;

export interface KnownAlgorithm {
  readonly hash: HashAlgorithm;
  /** The length of a hash in bytes, or null for a caller's function, whose hashes have an unknown length. */
  readonly bytes: number | null;
}

const BUILT_IN: ReadonlyMap<string, KnownAlgorithm> = new Map([
  ["md5", { hash: md5, bytes: 16 }],
  ["sha1", { hash: sha1, bytes: 20 }],
  ["x-sha256", { hash: fullHash, bytes: 32 }],
]);

// Without the flag `u`, the flag `i` matches no letter outside ASCII.
const IDENTIFIER = /^[a-z0-9.-]+$/i;
const PRIVATE_USE = /^x-[a-z0-9.-]*$/i;

/** §4.2: whether a hashed URI may use an identifier, in lower case, known or not. */
export function isAllowedIdentifier(identifier: string): boolean {
  return BUILT_IN.has(identifier) || PRIVATE_USE.test(identifier);
}

/**
 * The algorithms that a call can use, both the built-in ones and those registered in its options.
 *
 * §4.2 reserves only identifiers that begin with `x-` for private use, so no others can be registered.
 */
export function knownAlgorithms(
  registered: HashAlgorithms | undefined,
): ReadonlyMap<string, KnownAlgorithm> {
  if (registered === undefined) return BUILT_IN;
  if (typeof registered !== "object" || registered === null) {
    throw typeError("algorithms", "an object", registered);
  }
  const known = new Map(BUILT_IN);
  for (const [name, hash] of Object.entries(registered)) {
    if (!PRIVATE_USE.test(name)) throw new HashedUriError("algorithm-not-allowed", name, null);
    if (typeof hash !== "function") {
      throw typeError(`algorithms["${name}"]`, "a function", hash);
    }
    known.set(name.toLowerCase(), { hash, bytes: null });
  }
  return known;
}

/**
 * The algorithm for generating hashed URIs, in lower case, with its function. Throws if the algorithm is not known, or
 * if §4.2 does not allow it.
 */
export function allowedAlgorithm(
  identifier: string,
  known: ReadonlyMap<string, KnownAlgorithm>,
): { readonly identifier: string; readonly hash: HashAlgorithm } {
  if (typeof identifier !== "string") {
    throw typeError("algorithm", "a string", identifier);
  }
  const lower = identifier.toLowerCase();
  const algorithm = IDENTIFIER.test(identifier) ? known.get(lower) : undefined;
  if (algorithm !== undefined) return { identifier: lower, hash: algorithm.hash };
  const code = PRIVATE_USE.test(identifier) ? "algorithm-unknown" : "algorithm-not-allowed";
  throw new HashedUriError(code, identifier, null);
}

const encoder = new TextEncoder();

/** The bytes to hash, which are the UTF-8 form of the canonical text (§4.3 step 3). */
export function toBytes(canonical: string): Uint8Array {
  return encoder.encode(canonical);
}

/** The hash of the bytes in hexadecimal (§4.3 steps 3 and 4). */
export function hexDigest(bytes: Uint8Array, hash: HashAlgorithm): string {
  const digest = hash(bytes);
  if (!isUint8Array(digest))
    throw typeError("the result of a hash algorithm", "a Uint8Array", digest);
  if (digest.length === 0) throw new TypeError("the result of a hash algorithm must not be empty");
  return toHex(digest);
}
