import { isBase64Hash } from "@x/canon/other-text";
import type { ListFormat } from "./format.ts";
import { hashParser } from "./parts/hash-lines.ts";

/** Base64 as in RFC 4648 §4 or §5, with or without padding. */
const BASE64 = /^[0-9A-Za-z+/_-]*={0,2}$/;

/** One full hash or hash prefix per line, in base64. */
export const base64: ListFormat = {
  name: "base64",
  title: "hashes in base64",
  shape: {
    code: "hash-line",
    found: "a hash",
    pattern: { test: isBase64Hash },
  },
  parser: (output) => hashParser(output, fromBase64),
};

/** Decodes base64; null when the text is not the canonical encoding of any bytes. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!BASE64.test(text)) return null;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const digits = standard.replace(/=+$/, "");
  if (digits.length % 4 === 1) return null;
  const binary = atob(digits);
  const canonical = btoa(binary);
  // The unused bits after the last byte must be 0. Otherwise, several texts could stand for the same hash.
  if (standard !== canonical && standard !== canonical.replace(/=+$/, "")) return null;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
