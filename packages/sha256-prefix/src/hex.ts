import { Sha256PrefixError } from "./error.ts";
import { typeError } from "./type-error.ts";
import { isUint8Array } from "./uint8-array.ts";

const HEX_OF_BYTE: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);
/** Up to this length, concatenating strings is fastest. */
const SHORT_BYTES = 32;
/**
 * The number of bytes converted at a time. Their digits are the arguments of one call, and engines limit the number of
 * arguments.
 */
const PIECE_BYTES = 2 ** 12;
/** Every engine supports a string of twice this length. */
const MAX_HEX_BYTES = 2 ** 27;
const NOT_A_HEX_DIGIT = /[^0-9A-Fa-f]/;

/**
 * Returns bytes in lower-case hexadecimal: two digits per byte, without separators.
 *
 * @throws {RangeError} when there are more than 2²⁷ bytes (128 MiB).
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
  if (bytes.length > MAX_HEX_BYTES) {
    throw new RangeError(`bytes must be at most ${MAX_HEX_BYTES} bytes long, not ${bytes.length}`);
  }
  if (bytes.length <= SHORT_BYTES) {
    let hex = "";
    for (let i = 0; i < bytes.length; i++) hex += HEX_OF_BYTE[bytes[i]!];
    return hex;
  }
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    pieces.push(pieceToHex(bytes, start, Math.min(start + PIECE_BYTES, bytes.length)));
  }
  return pieces.join("");
}

/** The digits of the bytes from `start` to `end`. Concatenating strings would take 32 bytes of memory for each byte. */
function pieceToHex(bytes: Uint8Array, start: number, end: number): string {
  const codes = new Uint8Array(2 * (end - start));
  for (let i = start, to = 0; i < end; i++) {
    const digits = HEX_OF_BYTE[bytes[i]!]!;
    codes[to++] = digits.charCodeAt(0);
    codes[to++] = digits.charCodeAt(1);
  }
  return String.fromCharCode.apply(null, codes as unknown as number[]);
}

/**
 * Returns the bytes that hexadecimal text stands for, in a new array.
 *
 * Digits may be upper-case or lower-case. Spaces, separators and a leading `0x` are errors. Empty text gives no
 * bytes.
 *
 * @throws {Sha256PrefixError} `hex-digit-invalid` or `hex-length-odd`.
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
