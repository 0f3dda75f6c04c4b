/** Labels of UTF-16, which no text in a mail should have (RFC 2781 §4). */
export const UTF_16: RegExp = /^\s*(?:utf-?16|ucs-?2|unicode|iso-10646-ucs-2)/i;

/** Decodes text, as windows-1252 if its character set is unknown, and as UTF-8 if none is named. */
export function decodeCharset(bytes: Uint8Array, label: string): string {
  const known = label.trim() === "" ? "utf-8" : label;
  return new TextDecoder(isKnownCharset(known) ? known : "windows-1252").decode(bytes);
}

export function isKnownCharset(label: string): boolean {
  try {
    return new TextDecoder(label) !== null;
  } catch {
    return false;
  }
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;

/** The six bits of each character of base64; 255 for all other characters. */
const SIX_BITS = new Uint8Array(256).fill(255);
for (const [value, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  SIX_BITS[character.charCodeAt(0)] = value;
}

/**
 * Decodes base64. Other characters are skipped, and `=` ends a unit, because some programs pad every line.
 *
 * @see RFC 2045 §6.8
 */
export function decodeBase64(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(Math.ceil((encoded.length / 4) * 3));
  let length = 0;
  let bits = 0;
  let count = 0;
  for (const byte of encoded) {
    const value = SIX_BITS[byte]!;
    if (byte === EQUALS) count = 0;
    if (value === 255) continue;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded[length++] = bits >> count;
  }
  return decoded.subarray(0, length);
}

/**
 * Decodes quoted-printable. Mail servers may have added blanks to the ends of lines, also after the `=` of a soft line
 * break.
 *
 * @see RFC 2045 §6.7
 */
export function decodeQuotedPrintable(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(encoded.length);
  let length = 0;
  for (let start = 0; start < encoded.length; ) {
    const lineFeed = encoded.indexOf(LINE_FEED, start);
    let end = lineFeed === -1 ? encoded.length : lineFeed;
    while (end > start && isBlank(encoded[end - 1]!)) end--;
    const isSoft = end > start && encoded[end - 1] === EQUALS;
    if (isSoft) end--;
    for (let i = start; i < end; i++) {
      const value = encoded[i] === EQUALS && i + 2 < end ? hexAt(encoded, i + 1) : -1;
      if (value !== -1) i += 2;
      decoded[length++] = value === -1 ? encoded[i]! : value;
    }
    if (lineFeed === -1) break;
    if (!isSoft) decoded[length++] = LINE_FEED;
    start = lineFeed + 1;
  }
  return decoded.subarray(0, length);
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** The value of two hexadecimal digits; -1 if they are none. */
function hexAt(bytes: Uint8Array, index: number): number {
  const digits = String.fromCharCode(bytes[index]!, bytes[index + 1]!);
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/**
 * Joins the lines of flowed text that end in a space.
 *
 * @param deletesSpace Whether that space is deleted.
 * @see RFC 3676 §4
 */
export function joinFlowedLines(text: string, deletesSpace: boolean): string {
  const lines = text.split(/\r?\n/).map((line) => (line.startsWith(" ") ? line.slice(1) : line));
  const joinedLines = lines.map((line, i) => {
    if (i === lines.length - 1) return line;
    // The line before a signature does not flow.
    if (!line.endsWith(" ") || line === "-- ") return `${line}\n`;
    return deletesSpace ? line.slice(0, -1) : line;
  });
  return joinedLines.join("");
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let filled = 0;
  for (const piece of pieces) {
    all.set(piece, filled);
    filled += piece.length;
  }
  return all;
}
