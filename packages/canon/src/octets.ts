import { DELETE, isAscii } from "./ascii.ts";
import type { CanonFailure } from "./error.ts";
import { MAX_URL_LENGTH } from "./max-url-length.ts";
import { typeError } from "./type-error.ts";

/**
 * The canonicalization works on *octet strings*: strings in which every code unit is one octet of the
 * URL, 0 to 255. The string operations of the platform then work on octets.
 *
 * One kind of character needs to know where it stands before it becomes octets: U+0080 to U+009F, raw in
 * a text, are one octet in a host (where they are never legal, and can only be octets that somebody
 * widened) and two octets of UTF-8 elsewhere. Until the URL is split they are kept apart from octets by
 * this offset.
 */
const UNDECIDED = 0x100;
const HOLDS_UNDECIDED = /[\u0180-\u019f]/;

/** The octet string of a text (as UTF-8) or of octets. */
export function toOctetString(url: string | Uint8Array): string | CanonFailure {
  if (typeof url !== "string" && !isOctets(url)) {
    throw typeError("url", "a string or a Uint8Array", url);
  }
  if (url.length > MAX_URL_LENGTH) return { code: "too-long", before: null };
  if (typeof url !== "string") return fromCodes(url);
  return isAscii(url) ? url : encodeText(url);
}

/** Whether a value is a `Uint8Array`, of whatever realm (a frame's or a test runner's has another class). */
function isOctets(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

function encodeText(text: string): string | CanonFailure {
  const octets = new Uint16Array(3 * text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code <= DELETE) {
      octets[length++] = code;
    } else if (code <= 0x9f) {
      octets[length++] = UNDECIDED + code;
    } else if (code >= 0xd800 && code <= 0xdfff) {
      return { code: "lone-surrogate", before: text.slice(0, i) };
    } else {
      length = writeUtf8(code, octets, length);
      if (code > 0xffff) i++;
    }
  }
  return fromCodes(octets.subarray(0, length));
}

/** Writes one code point above 0x7F as UTF-8 (RFC 3629 §3) and gives the place after it. */
function writeUtf8(code: number, octets: Uint16Array, start: number): number {
  let i = start;
  if (code < 0x800) {
    octets[i++] = 0xc0 | (code >> 6);
  } else {
    if (code < 0x10000) {
      octets[i++] = 0xe0 | (code >> 12);
    } else {
      octets[i++] = 0xf0 | (code >> 18);
      octets[i++] = 0x80 | ((code >> 12) & 0x3f);
    }
    octets[i++] = 0x80 | ((code >> 6) & 0x3f);
  }
  octets[i++] = 0x80 | (code & 0x3f);
  return i;
}

/** Inside a host, a raw U+0080–U+009F is the octet of that number. */
export function decideInHost(octets: string): string {
  if (!HOLDS_UNDECIDED.test(octets)) return octets;
  return replaceUndecided(octets, (octet) => octet);
}

/** Outside a host, a raw U+0080–U+009F is UTF-8 like every other character: 0xC2 and its number. */
export function decideElsewhere(octets: string): string {
  if (!HOLDS_UNDECIDED.test(octets)) return octets;
  return replaceUndecided(octets, (octet) => `\xc2${octet}`);
}

function replaceUndecided(octets: string, decide: (octet: string) => string): string {
  return octets.replace(/[\u0180-\u019f]/g, (c) =>
    decide(String.fromCharCode(c.charCodeAt(0) - UNDECIDED)),
  );
}

/** The string whose code units are these. */
export function fromCodes(codes: Uint8Array | Uint16Array): string {
  // As many arguments as every engine takes in one call.
  const piece = 8192;
  let text = "";
  for (let i = 0; i < codes.length; i += piece) {
    // Spreading would go through the iterator, element by element.
    text += String.fromCharCode.apply(null, codes.subarray(i, i + piece) as unknown as number[]);
  }
  return text;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of which an octet string is the UTF-8 form; `null` when it is not UTF-8. */
export function decodeUtf8(octets: string): string | null {
  const bytes = new Uint8Array(octets.length);
  for (let i = 0; i < octets.length; i++) bytes[i] = octets.charCodeAt(i);
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** One character above ASCII as well-formed UTF-8 (RFC 3629 §4), or one octet that is part of none. */
const ABOVE_ASCII =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf])[\x80-\xbf]|[\x80-\xff]/g;

/** For people: characters where the octets are UTF-8, else each octet as the character of its number. */
export function toDisplayText(octets: string): string {
  return decodeCharacters(decideElsewhere(octets), (octet) => octet);
}

/** For a message: characters where the octets are UTF-8, else each octet as `\xff`. */
export function quoteOctets(octets: Uint8Array): string {
  return decodeCharacters(fromCodes(octets), (octet) => `\\x${octet.charCodeAt(0).toString(16)}`);
}

function decodeCharacters(octets: string, other: (octet: string) => string): string {
  if (isAscii(octets)) return octets;
  // A decoder for each character, or an exception for each octet that is none, would take seconds.
  const text = decodeUtf8(octets);
  if (text !== null) return text;
  return octets.replace(ABOVE_ASCII, (c) => (c.length === 1 ? other(c) : decodeCharacter(c)));
}

/** The character whose well-formed UTF-8 these octets are; its first octet has a 1 for each of them. */
function decodeCharacter(octets: string): string {
  let code = octets.charCodeAt(0) & (0xff >> (octets.length + 1));
  for (let i = 1; i < octets.length; i++) code = (code << 6) | (octets.charCodeAt(i) & 0x3f);
  return String.fromCodePoint(code);
}
