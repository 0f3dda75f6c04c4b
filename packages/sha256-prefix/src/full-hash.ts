import { digestInto, FULL_HASH_BYTES } from "./digest.ts";
import { isOctets } from "./octets.ts";
import { typeError } from "./type-error.ts";
import { encodeAsciiInto, encodeUtf8 } from "./utf8.ts";

/**
 * A SHA-256 hash: 32 octets, in memory of their own.
 *
 * @see Web Risk, Hashing URLs, Hash computations
 */
export type FullHash = Uint8Array<ArrayBuffer> & { readonly byteLength: 32 };

/** Where a text is written that is short and ASCII, as nearly all expressions are. */
const shortText = new Uint8Array(256);
const shortTextView = new DataView(shortText.buffer);

/**
 * The SHA-256 of a text or of octets, computed synchronously.
 *
 * @param text text, which is hashed as UTF-8, or octets, which are hashed as they are.
 * @throws {Sha256PrefixError} `lone-surrogate` when a text holds half of a surrogate pair, which UTF-8
 * cannot stand for; octets are never refused.
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
  const hash = new Uint8Array(FULL_HASH_BYTES);
  if (typeof text === "string" && encodeAsciiInto(shortText, text)) {
    digestInto(hash, 0, shortText, shortTextView, 0, text.length);
    return hash as FullHash;
  }
  const octets = typeof text === "string" ? encodeUtf8(text) : text;
  if (!isOctets(octets)) throw typeError("text", "a string or a Uint8Array", text);
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  digestInto(hash, 0, octets, view, 0, octets.length);
  return hash as FullHash;
}
