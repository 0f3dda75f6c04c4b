import { Sha256PrefixError } from "./error.ts";
import { typeError } from "./type-error.ts";
import { isUint8Array } from "./uint8-array.ts";

const HEX_OF_BYTE: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);
const NOT_A_HEX_DIGIT = /[^0-9A-Fa-f]/;

/**
 * Bytes in lower-case hexadecimal: two digits per byte, no separators.
 *
 * @throws {TypeError} when `bytes` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { toHex, truncatedSha256Prefix } from "@x/sha256-prefix";
 *
 * toHex(truncatedSha256Prefix("abc", 32)); // → "ba7816bf"
 * ```
 * @see RFC 4648 §8
 */
export function toHex(bytes: Uint8Array): string {
  if (!isUint8Array(bytes)) throw typeError("bytes", "a Uint8Array", bytes);
  let hex = "";
  for (let i = 0; i < bytes.length; i++) hex += HEX_OF_BYTE[bytes[i]!];
  return hex;
}

/**
 * The bytes that a hexadecimal text stands for, in memory of their own.
 *
 * Digits may be upper-case or lower-case. Spaces, separators and a leading `0x` are errors. An empty text gives
 * no bytes.
 *
 * @throws {Sha256PrefixError} `hex-digit-invalid`, `hex-length-odd`.
 * @throws {TypeError} when `text` is not a string.
 * @example
 * ```ts
 * import { fromHex } from "@x/sha256-prefix";
 *
 * fromHex("BA7816bf"); // → Uint8Array.of(0xba, 0x78, 0x16, 0xbf)
 * ```
 * @see RFC 4648 §8
 */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const bad = text.search(NOT_A_HEX_DIGIT);
  if (bad >= 0) {
    throw new Sha256PrefixError("hex-digit-invalid", text, bad);
  }
  if (text.length % 2 !== 0) {
    throw new Sha256PrefixError("hex-length-odd", text, text.length);
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
