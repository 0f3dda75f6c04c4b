import { Sha256PrefixError } from "./error.ts";

// With the u flag this matches a half without its other half only: a pair is one character.
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const MAX_ASCII = 0x7f;
const encoder = new TextEncoder();

/**
 * Writes a text into `octets` if all of it is ASCII and fits, and tells whether it did: for short texts,
 * which most are, a fraction of the time of {@link encodeUtf8}.
 */
export function encodeAsciiInto(octets: Uint8Array, text: string): boolean {
  if (text.length > octets.length) return false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > MAX_ASCII) return false;
    octets[i] = unit;
  }
  return true;
}

/**
 * The UTF-8 octets of a text. A surrogate without its other half is an error (RFC 3629 §3): `TextEncoder`
 * alone would put U+FFFD in its place, and so give different texts the same hash.
 */
export function encodeUtf8(text: string): Uint8Array {
  const unpaired = text.search(UNPAIRED_SURROGATE);
  if (unpaired >= 0) {
    throw new Sha256PrefixError("lone-surrogate", text, unpaired);
  }
  return encoder.encode(text);
}
