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
