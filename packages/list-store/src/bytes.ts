import { compareBytes } from "@x/prefix-list/raw-hashes";

const encoder = new TextEncoder();
// Of what was signed or hashed, nothing may be left out.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The UTF-8 bytes of a text. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** The text in UTF-8 bytes. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const piece of pieces) {
    all.set(piece, used);
    used += piece.length;
  }
  return all;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, 0, b, 0, a.length) === 0;
}

/** The base64 of a few bytes, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** The bytes of base64 with padding; `null` when the text is not the base64 of any bytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const characters = atob(text);
    if (btoa(characters) !== text) return null;
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
