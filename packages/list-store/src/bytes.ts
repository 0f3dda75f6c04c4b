import { compareBytes } from "@x/prefix-list/raw-hashes";

export { concatBytes } from "@x/prefix-list/raw-hashes";

const encoder = new TextEncoder();
// Keeps a byte order mark, because signed or hashed text must be decoded without dropping anything.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, 0, b, 0, a.length) === 0;
}

/** Encodes a few bytes as base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Decodes base64 with padding; `null` when the text is not valid base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const characters = atob(text);
    if (btoa(characters) !== text) return null;
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
