import { FULL_HASH_BYTES, fromHex, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { LineParser, Output } from "./parser.ts";
import { isComment, withoutComment } from "./urls.ts";

/** The lengths of MD5 and SHA-1 hashes. Hash prefixes may be as long, but rarely are. */
const OTHER_HASH_BYTES: ReadonlySet<number> = new Set([16, 20]);
const HEX = /^[0-9A-Fa-f]*$/;
/** RFC 4648 §4 or §5, padded or not. */
const BASE64 = /^[0-9A-Za-z+/_-]*={0,2}$/;

/** One full hash or hash prefix per line, in hexadecimal. */
export function hexParser(output: Output): LineParser {
  return hashParser(output, (text) =>
    HEX.test(text) && text.length % 2 === 0 ? fromHex(text) : null,
  );
}

/** One full hash or hash prefix per line, in base64. */
export function base64Parser(output: Output): LineParser {
  return hashParser(output, fromBase64);
}

function hashParser(
  output: Output,
  decode: (text: string) => Uint8Array<ArrayBuffer> | null,
): LineParser {
  return {
    line(line) {
      if (isComment(line)) return;
      const text = withoutComment(line);
      const bytes = text.length > 2 * FULL_HASH_BYTES ? null : decode(text);
      if (bytes === null) output.refuse("hash-invalid", line);
      else if (bytes.length < MIN_PREFIX_BYTES || bytes.length > FULL_HASH_BYTES) {
        output.refuse("hash-length", line);
      } else output.hash(bytes, OTHER_HASH_BYTES.has(bytes.length) ? "other-hash" : undefined);
    },
  };
}

/** The bytes of base64 text; null when the text is not the canonical encoding of any bytes. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!BASE64.test(text)) return null;
  const digits = text.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  const padding = text.length - text.indexOf("=");
  if (digits.length % 4 === 1) return null;
  if (text.includes("=") && (digits.length + padding) % 4 !== 0) return null;
  const binary = atob(digits);
  // With bits after the last byte, two texts would be the same hash.
  if (btoa(binary).replace(/=+$/, "") !== digits) return null;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
