import { isAscii } from "./ascii.ts";
import { MAX_URL_LENGTH, type UrlProblem } from "./error.ts";
import { typeError } from "./own-options.ts";
import { decodeCharacters, encodeUtf8, fromCodes } from "./utf8.ts";

/**
 * The canonicalization works on *byte strings*: strings in which every code unit, 0 to 255, is one byte
 * of the URL. The platform's string operations then work on bytes.
 *
 * Raw U+0080 to U+009F in text become bytes only after the URL is split: one byte in a host (where they are never
 * legal, and can only be bytes that were turned into characters one by one) and two bytes of UTF-8 elsewhere. Until the
 * URL is split, this offset keeps these characters apart from bytes.
 */
const UNDECIDED = 0x100;

/** The byte string of a text (as UTF-8) or of bytes. */
export function toByteString(url: string | Uint8Array): string | UrlProblem {
  checkUrl(url);
  if (url.length > MAX_URL_LENGTH) return { code: "too-long", index: null };
  if (typeof url !== "string") return fromCodes(url);
  if (isAscii(url)) return url;
  const index = url.search(/\p{Surrogate}/u);
  return index < 0 ? encodeUtf8(url, UNDECIDED) : { code: "lone-surrogate", index };
}

/** Throws a `TypeError` for anything but a string or a readable `Uint8Array`. */
export function checkUrl(url: unknown): asserts url is string | Uint8Array {
  if (typeof url === "string") return;
  if (!isUint8Array(url)) throw typeError("url", "a string or a Uint8Array", url);
  if (url.length === 0 && isDetached(url)) {
    throw new TypeError("url must not be a Uint8Array whose buffer is detached");
  }
}

/** Whether an array has no bytes because its buffer was transferred or resized. */
function isDetached(bytes: Uint8Array): boolean {
  try {
    bytes.at(0);
    return false;
  } catch {
    return true;
  }
}

/** Whether a value is a `Uint8Array` from any realm (frames and test runners have their own class). */
function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

/** Whether a byte string has raw U+0080–U+009F left for {@link decideInHost} or {@link decideElsewhere}. */
export function holdsUndecided(bytes: string): boolean {
  return /[\u0180-\u019f]/.test(bytes);
}

/** Inside a host, a raw U+0080–U+009F is the byte with that value. */
export function decideInHost(bytes: string): string {
  return replaceUndecided(bytes, (byte) => byte);
}

/**
 * Outside a host, a raw U+0080–U+009F is encoded as UTF-8 like every other character, as 0xC2 and the byte with its
 * value.
 */
export function decideElsewhere(bytes: string): string {
  return replaceUndecided(bytes, (byte) => `\xc2${byte}`);
}

function replaceUndecided(bytes: string, decide: (byte: string) => string): string {
  return bytes.replace(/[\u0180-\u019f]/g, (c) =>
    decide(String.fromCharCode(c.charCodeAt(0) - UNDECIDED)),
  );
}

/**
 * Returns readable text. Bytes that are UTF-8 are decoded, and every other byte becomes the character with its code.
 */
export function toDisplayText(bytes: string): string {
  return decodeCharacters(decideElsewhere(bytes), (other) => other);
}
