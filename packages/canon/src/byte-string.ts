import { isAscii } from "./ascii.ts";
import { typeError } from "./own-options.ts";

/**
 * The maximum length of a URL or URI: 2²⁴ UTF-16 code units of text, or 2²⁴ bytes.
 *
 * No specification sets this limit. The limit is far above the length of any URL in use, and low enough for V8, which
 * ends the process instead of throwing an error when a string is split into 2²⁵ parts or has as many replacements.
 */
export const MAX_URL_LENGTH: number = 16_777_216;

/**
 * The canonicalization works on *byte strings*: strings in which every code unit, 0 to 255, is one byte
 * of the URL. The platform's string operations then work on bytes.
 *
 * Raw U+0080 to U+009F in text become bytes only after the URL is split: one byte in a host (where they are never
 * legal, and can only be bytes that were turned into characters one by one) and two bytes of UTF-8 elsewhere. Until the
 * URL is split, this offset keeps these characters apart from bytes.
 */
const UNDECIDED = 0x100;

/** Why there is no byte string for a URL. */
interface NoByteString {
  readonly code: "too-long" | "lone-surrogate";
  readonly index: number | null;
}

/** The byte string of a text (as UTF-8) or of bytes. */
export function toByteString(url: string | Uint8Array): string | NoByteString {
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

/** The string with these code units. */
export function fromCodes(codes: Uint8Array | Uint16Array): string {
  // Every engine accepts this many arguments in one call.
  const piece = 8192;
  let text = "";
  for (let i = 0; i < codes.length; i += piece) {
    // Spreading would go through the iterator, element by element.
    text += String.fromCharCode.apply(null, codes.subarray(i, i + piece) as unknown as number[]);
  }
  return text;
}

/** Writes one code point above 0x7F as UTF-8 (RFC 3629 §3) and returns the index after it. */
function writeUtf8(code: number, bytes: Uint16Array, start: number): number {
  let i = start;
  if (code < 0x800) {
    bytes[i++] = 0xc0 | (code >> 6);
  } else {
    if (code < 0x10000) {
      bytes[i++] = 0xe0 | (code >> 12);
    } else {
      bytes[i++] = 0xf0 | (code >> 18);
      bytes[i++] = 0x80 | ((code >> 12) & 0x3f);
    }
    bytes[i++] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[i++] = 0x80 | (code & 0x3f);
  return i;
}

/**
 * Encodes text as UTF-8, in a string whose code units are bytes. Halves of surrogate pairs become U+FFFD. If
 * `undecided` is given, U+0080 to U+009F are not encoded, but moved by that offset.
 */
export function encodeUtf8(text: string, undecided = 0): string {
  if (isAscii(text)) return text;
  const bytes = new Uint16Array(3 * text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code < 0x80) bytes[length++] = code;
    else if (undecided > 0 && code < 0xa0) bytes[length++] = undecided + code;
    else length = writeUtf8(code >> 11 === 0x1b ? 0xfffd : code, bytes, length);
    if (code > 0xffff) i++;
  }
  return fromCodes(bytes.subarray(0, length));
}

/** Decodes a byte string as UTF-8, or returns `null` when it is not UTF-8. */
export function decodeUtf8(bytes: string): string | null {
  let isValid = true;
  const text = decodeCharacters(bytes, () => {
    isValid = false;
    return "";
  });
  return isValid ? text : null;
}

/** The text of a URL. Bytes are decoded as browsers decode them. */
export function textOf(url: string | Uint8Array): string {
  return typeof url === "string" ? url : decodeUtf8Leniently(fromCodes(url));
}

/** Decodes a byte string as UTF-8, with U+FFFD in place of invalid bytes, as browsers do. */
export function decodeUtf8Leniently(bytes: string): string {
  return decodeCharacters(bytes, () => "\ufffd");
}

/**
 * The characters of a byte string. `other` returns the text for bytes that are not UTF-8: a byte that begins no
 * character, or the bytes of an incomplete character. Not every platform has a `TextDecoder`.
 *
 * @see RFC 3629 §4; Encoding Standard, section "UTF-8 decoder"
 */
export function decodeCharacters(bytes: string, other: (bytes: string) => string): string {
  if (isAscii(bytes)) return bytes;
  const units = new Uint16Array(bytes.length);
  let length = 0;
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes.charCodeAt(i);
    if (first < 0x80) {
      units[length++] = first;
      i++;
      continue;
    }
    const start = i++;
    const more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
    let code = first & (0x3f >> more);
    let [least, most] = [0x80, 0xbf];
    // After some first bytes, the second byte has a narrower range, to exclude overlong forms, surrogates and code
    // points above U+10FFFF.
    if (first === 0xe0) least = 0xa0;
    else if (first === 0xed) most = 0x9f;
    else if (first === 0xf0) least = 0x90;
    else if (first === 0xf4) most = 0x8f;
    while (i - start <= more && bytes.charCodeAt(i) >= least && bytes.charCodeAt(i) <= most) {
      code = (code << 6) | (bytes.charCodeAt(i++) & 0x3f);
      [least, most] = [0x80, 0xbf];
    }
    if (more === 0 || i - start <= more) {
      text += fromCodes(units.subarray(0, length)) + other(bytes.slice(start, i));
      length = 0;
    } else if (code > 0xffff) {
      units[length++] = 0xd7c0 + (code >> 10);
      units[length++] = 0xdc00 + (code & 0x3ff);
    } else {
      units[length++] = code;
    }
  }
  return text + fromCodes(units.subarray(0, length));
}
