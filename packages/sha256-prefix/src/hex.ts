import { Sha256PrefixError } from "./error.ts";
import { isOctets } from "./octets.ts";
import { typeError } from "./type-error.ts";

const HEX_OF_OCTET: readonly string[] = Array.from({ length: 256 }, (_, octet) =>
  octet.toString(16).padStart(2, "0"),
);
const NOT_A_HEX_DIGIT = /[^0-9A-Fa-f]/;

/**
 * The octets in lower-case hexadecimal, two digits an octet, without separators.
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
  if (!isOctets(bytes)) throw typeError("bytes", "a Uint8Array", bytes);
  let hex = "";
  for (let i = 0; i < bytes.length; i++) hex += HEX_OF_OCTET[bytes[i]!];
  return hex;
}

/**
 * The octets that a hexadecimal text stands for, in memory of their own.
 *
 * Digits of either case are read; spaces, separators and a leading `0x` are not. An empty text gives no octets.
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
  const octets = new Uint8Array(text.length / 2);
  for (let i = 0; i < octets.length; i++)
    octets[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return octets;
}
