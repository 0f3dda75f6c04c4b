import { escapedByte } from "./characters.ts";

const MAX_CODE_POINT = 0x10ffff;

/** The number of bytes of a code point in UTF-8. */
export function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}

/**
 * The code point whose UTF-8 bytes are escaped at `at`. The result is -1 when there is no escape or the bytes are not
 * well-formed UTF-8: an overlong form, a surrogate, a value beyond U+10FFFF or a sequence that is cut short.
 */
export function escapedCodePoint(text: string, at: number): number {
  const lead = escapedByte(text, at);
  if (lead < 0x80) return lead;
  // Bytes from 0x80 to 0xC1 continue a sequence or start an overlong one. Bytes above 0xF4 do not occur in
  // UTF-8.
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let codePoint = lead & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) {
    const byte = escapedByte(text, at + 3 * i);
    // If there is no escape, the value is -1, which also fails this test.
    if ((byte & 0xc0) !== 0x80) return -1;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  if (isSurrogate || codePoint > MAX_CODE_POINT || utf8Length(codePoint) !== length) return -1;
  return codePoint;
}

/** `%` and two upper-case hexadecimal digits for a byte. */
function escapeByte(byte: number): string {
  return `%${byte < 0x10 ? "0" : ""}${byte.toString(16).toUpperCase()}`;
}

/** The escapes of a code point's UTF-8 bytes. */
export function escapeCodePoint(codePoint: number): string {
  const length = utf8Length(codePoint);
  if (length === 1) return escapeByte(codePoint);
  const leadMark = (0xff << (8 - length)) & 0xff;
  let escapes = escapeByte(leadMark | (codePoint >> (6 * (length - 1))));
  for (let i = length - 2; i >= 0; i--) {
    escapes += escapeByte(0x80 | ((codePoint >> (6 * i)) & 0x3f));
  }
  return escapes;
}
