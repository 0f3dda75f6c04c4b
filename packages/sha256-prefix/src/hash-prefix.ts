import { FULL_HASH_BYTES } from "./digest.ts";
import { type FullHash, fullHash } from "./full-hash.ts";
import { isOctets } from "./octets.ts";
import { typeError } from "./type-error.ts";

/**
 * The 4 to 32 most significant octets of a {@link FullHash}; all 32 of them are a prefix too.
 *
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export type HashPrefix = Uint8Array<ArrayBuffer>;

/** The octets of the shortest hash prefix, 4. */
export const MIN_PREFIX_BYTES = 4;
/** The octets of the longest hash prefix, 32: the full hash. */
export const MAX_PREFIX_BYTES = 32;

const BITS_PER_OCTET = 8;

function checkFullHash(hash: unknown): asserts hash is FullHash {
  if (!isOctets(hash)) throw typeError("hash", "a Uint8Array of 32 octets", hash);
  if (hash.length !== FULL_HASH_BYTES) {
    throw new TypeError(
      `hash must be a Uint8Array of ${FULL_HASH_BYTES} octets, not of ${hash.length}`,
    );
  }
}

function checkPrefixLength(what: string, bytes: number): void {
  if (typeof bytes !== "number") throw typeError(what, "a number", bytes);
  if (!Number.isInteger(bytes) || bytes < MIN_PREFIX_BYTES || bytes > MAX_PREFIX_BYTES) {
    throw new RangeError(
      `${what} must be a whole number from ${MIN_PREFIX_BYTES} to ${MAX_PREFIX_BYTES}, not ${bytes}`,
    );
  }
}

/**
 * The `bytes` most significant octets of a full hash, in memory of their own.
 *
 * @param bytes a whole number of octets from 4 to 32; 4 (32 bits) when left out.
 * @throws {RangeError} when `bytes` is any other number.
 * @throws {TypeError} when `hash` is not a `Uint8Array` of 32 octets or `bytes` is not a number.
 * @example
 * ```ts
 * import { fullHash, hashPrefix, toHex } from "@x/sha256-prefix";
 *
 * toHex(hashPrefix(fullHash("abc"))); // → "ba7816bf"
 * toHex(hashPrefix(fullHash("abc"), 6)); // → "ba7816bf8f01"
 * ```
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export function hashPrefix(hash: FullHash, bytes: number = MIN_PREFIX_BYTES): HashPrefix {
  checkFullHash(hash);
  checkPrefixLength("bytes", bytes);
  // Not `hash.slice`: on a Node Buffer that is a view of the same memory.
  return new Uint8Array(hash.subarray(0, bytes));
}

/**
 * The `bits` most significant bits of the SHA-256 of a text or of octets, as octets: the text's own
 * `TruncatedSha256Prefix`, which is {@link fullHash} and {@link hashPrefix} in one call.
 *
 * @param input text, which is hashed as UTF-8, or octets, which are hashed as they are.
 * @param bits a multiple of 8 from 32 to 256.
 * @throws {RangeError} when `bits` is any other number.
 * @throws {Sha256PrefixError} `lone-surrogate`.
 * @throws {TypeError} when `input` is neither a string nor a `Uint8Array`, or `bits` is not a number.
 * @example
 * ```ts
 * import { toHex, truncatedSha256Prefix } from "@x/sha256-prefix";
 *
 * toHex(truncatedSha256Prefix("abc", 48)); // → "ba7816bf8f01"
 * ```
 * @see Web Risk, Hashing URLs, Hash computations
 */
export function truncatedSha256Prefix(input: string | Uint8Array, bits: number): HashPrefix {
  if (typeof bits !== "number") throw typeError("bits", "a number", bits);
  const bytes = bits / BITS_PER_OCTET;
  if (!Number.isInteger(bytes) || bytes < MIN_PREFIX_BYTES || bytes > MAX_PREFIX_BYTES) {
    const [least, most] = [MIN_PREFIX_BYTES * BITS_PER_OCTET, MAX_PREFIX_BYTES * BITS_PER_OCTET];
    throw new RangeError(`bits must be a multiple of 8 from ${least} to ${most}, not ${bits}`);
  }
  return hashPrefix(fullHash(input), bytes);
}

/**
 * Whether a full hash begins with the octets of a prefix.
 *
 * The comparison is not made in constant time: hashes of URLs on a list are no secrets.
 *
 * @throws {RangeError} when `prefix` is shorter than 4 or longer than 32 octets.
 * @throws {TypeError} when `hash` is not a `Uint8Array` of 32 octets or `prefix` not a `Uint8Array`.
 * @example
 * ```ts
 * import { fromHex, fullHash, hasPrefix } from "@x/sha256-prefix";
 *
 * hasPrefix(fullHash("abc"), fromHex("ba7816bf")); // → true
 * hasPrefix(fullHash("abd"), fromHex("ba7816bf")); // → false
 * ```
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export function hasPrefix(hash: FullHash, prefix: HashPrefix): boolean {
  checkFullHash(hash);
  if (!isOctets(prefix)) throw typeError("prefix", "a Uint8Array", prefix);
  checkPrefixLength("the octets of prefix", prefix.length);
  for (let i = 0; i < prefix.length; i++) if (hash[i] !== prefix[i]) return false;
  return true;
}
