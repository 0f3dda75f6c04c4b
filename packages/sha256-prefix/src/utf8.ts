import { Sha256PrefixError } from "./error.ts";

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
export function encodeAsciiInto(bytes: Uint8Array, text: string): boolean {
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
export function encodeUtf8(text: string): Uint8Array {
  const unpaired = text.search(UNPAIRED_SURROGATE);
  if (unpaired >= 0) {
    throw new Sha256PrefixError("lone-surrogate", text, unpaired);
  }
  return encoder.encode(text);
}
