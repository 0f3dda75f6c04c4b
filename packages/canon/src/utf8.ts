import { isAscii } from "./ascii.ts";

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
export function writeUtf8(code: number, bytes: Uint16Array, start: number): number {
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

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a byte string as UTF-8; `null` when it is not UTF-8. */
export function decodeUtf8(byteString: string): string | null {
  const bytes = new Uint8Array(byteString.length);
  for (let i = 0; i < byteString.length; i++) bytes[i] = byteString.charCodeAt(i);
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** A non-ASCII character in well-formed UTF-8 (RFC 3629 §4), or one byte that belongs to no character. */
const ABOVE_ASCII =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf])[\x80-\xbf]|[\x80-\xff]/g;

/** The characters of a byte string; `other` returns the text for each byte that is not part of a character in UTF-8. */
export function decodeCharacters(bytes: string, other: (byte: string) => string): string {
  if (isAscii(bytes)) return bytes;
  // On long inputs, calling a decoder for each character, or catching an exception for each bad byte, would
  // take seconds.
  const text = decodeUtf8(bytes);
  if (text !== null) return text;
  return bytes.replace(ABOVE_ASCII, (c) => (c.length === 1 ? other(c) : decodeCharacter(c)));
}

/**
 * The character that these bytes of well-formed UTF-8 encode. The first byte starts with as many 1 bits as
 * there are bytes.
 */
function decodeCharacter(bytes: string): string {
  let code = bytes.charCodeAt(0) & (0xff >> (bytes.length + 1));
  for (let i = 1; i < bytes.length; i++) code = (code << 6) | (bytes.charCodeAt(i) & 0x3f);
  return String.fromCodePoint(code);
}
