import { digestInto, FULL_HASH_BYTES } from "./digest.ts";
import { Sha256PrefixError } from "./error.ts";
import { typeError } from "./type-error.ts";
import { isUint8Array } from "./uint8-array.ts";

/**
 * A SHA-256 hash, as 32 bytes in a buffer of their own.
 *
 * @see Web Risk, Hashing URLs, Hash computations
 */
export type FullHash = Uint8Array<ArrayBuffer> & { readonly byteLength: 32 };

/** Short ASCII text is written here before it is hashed. Nearly all expressions are short and ASCII. */
const shortText = new Uint8Array(256);
const shortTextView = new DataView(shortText.buffer);
/** Each hash is written here and then copied, because a new `DataView` for each hash would take longer. */
const latest = new Uint8Array(FULL_HASH_BYTES);
const latestView = new DataView(latest.buffer);

/**
 * Returns the SHA-256 hash of text or bytes, computed synchronously.
 *
 * @param text Text, which is hashed as UTF-8, or bytes, which are hashed as they are.
 * @throws {Sha256PrefixError} `lone-surrogate` when the text contains half of a surrogate pair, which UTF-8 cannot
 * encode. Bytes are never refused.
 * @throws {TypeError} when `text` is neither a string nor a `Uint8Array`.
 * @example
 * ```ts
 * import { fullHash, toHex } from "@x/sha256-prefix";
 *
 * toHex(fullHash("abc")); // → "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 * ```
 * @see FIPS 180-4 §6.2
 */
export function fullHash(text: string | Uint8Array): FullHash {
  if (typeof text === "string" && encodeAsciiInto(shortText, text)) {
    digestInto(latestView, 0, shortText, shortTextView, 0, text.length);
    return latest.slice() as FullHash;
  }
  const bytes = typeof text === "string" ? encodeUtf8(text) : text;
  if (!isUint8Array(bytes)) throw typeError("text", "a string or a Uint8Array", bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  digestInto(latestView, 0, bytes, view, 0, bytes.length);
  return latest.slice() as FullHash;
}

// With the flag `u`, this matches only a surrogate without its other half, because a pair counts as one
// character.
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const MAX_ASCII = 0x7f;
const encoder = new TextEncoder();

/**
 * Writes text into `bytes`, and returns whether all of it is ASCII and fits. If the result is `false`, `bytes` may
 * contain a part of the text. Most text is short, and for short text this function takes a fraction of the time of
 * {@link encodeUtf8}.
 */
function encodeAsciiInto(bytes: Uint8Array, text: string): boolean {
  if (text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > MAX_ASCII) return false;
    bytes[i] = unit;
  }
  return true;
}

/**
 * Encodes text as UTF-8. A surrogate without its other half is an error (RFC 3629 §3): `TextEncoder` alone would
 * replace it with U+FFFD, and so give different texts the same hash.
 */
function encodeUtf8(text: string): Uint8Array {
  const unpaired = text.search(UNPAIRED_SURROGATE);
  if (unpaired >= 0) {
    throw new Sha256PrefixError("lone-surrogate", text, unpaired);
  }
  return encoder.encode(text);
}

/**
 * The 4 to 32 most significant bytes of a {@link FullHash}. The whole hash counts as a prefix, too.
 *
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export type HashPrefix = Uint8Array<ArrayBuffer>;

/** The length of the shortest hash prefix: 4 bytes. */
export const MIN_PREFIX_BYTES = 4;
/** The length of the longest hash prefix, the full hash: 32 bytes. */
export const MAX_PREFIX_BYTES = 32;

const BITS_PER_BYTE = 8;

function checkFullHash(hash: unknown): asserts hash is FullHash {
  if (!isUint8Array(hash)) throw typeError("hash", "a Uint8Array of 32 bytes", hash);
  if (hash.length !== FULL_HASH_BYTES) {
    throw new TypeError(
      `hash must be a Uint8Array of ${FULL_HASH_BYTES} bytes, not of ${hash.length}`,
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
 * Returns a copy of the `prefixBytes` most significant bytes of a full hash.
 *
 * @param prefixBytes A whole number from 4 to 32. The default is 4 (32 bits).
 * @throws {RangeError} when `prefixBytes` is any other number.
 * @throws {TypeError} when `hash` is not a `Uint8Array` of 32 bytes or `prefixBytes` is not a number.
 * @example
 * ```ts
 * import { fullHash, hashPrefix, toHex } from "@x/sha256-prefix";
 *
 * toHex(hashPrefix(fullHash("abc"))); // → "ba7816bf"
 * toHex(hashPrefix(fullHash("abc"), 6)); // → "ba7816bf8f01"
 * ```
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export function hashPrefix(hash: FullHash, prefixBytes: number = MIN_PREFIX_BYTES): HashPrefix {
  checkFullHash(hash);
  checkPrefixLength("prefixBytes", prefixBytes);
  // `hash.slice` is not used, because on a Node Buffer it returns a view of the same memory.
  return new Uint8Array(hash.subarray(0, prefixBytes));
}

/**
 * Returns the `bits` most significant bits of the SHA-256 hash of text or bytes. The function is
 * `TruncatedSha256Prefix` of the specification: {@link fullHash} and {@link hashPrefix} in one call.
 *
 * @param input Text, which is hashed as UTF-8, or bytes, which are hashed as they are.
 * @param bits A multiple of 8 from 32 to 256.
 * @throws {RangeError} when `bits` is any other number.
 * @throws {Sha256PrefixError} `lone-surrogate` when the text contains half of a surrogate pair.
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
  const bytes = bits / BITS_PER_BYTE;
  if (!Number.isInteger(bytes) || bytes < MIN_PREFIX_BYTES || bytes > MAX_PREFIX_BYTES) {
    const [least, most] = [MIN_PREFIX_BYTES * BITS_PER_BYTE, MAX_PREFIX_BYTES * BITS_PER_BYTE];
    throw new RangeError(`bits must be a multiple of 8 from ${least} to ${most}, not ${bits}`);
  }
  return hashPrefix(fullHash(input), bytes);
}
