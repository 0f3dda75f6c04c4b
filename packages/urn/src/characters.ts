export const NUMBER_SIGN = 0x23;
export const PERCENT = 0x25;
export const APOSTROPHE = 0x27;
export const PLUS = 0x2b;
export const HYPHEN = 0x2d;
export const SLASH = 0x2f;
const DIGIT_0 = 0x30;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const EQUALS = 0x3d;
export const QUESTION_MARK = 0x3f;
export const LOW_LINE = 0x5f;
export const LETTER_N = 0x6e;
export const LETTER_R = 0x72;
export const LETTER_U = 0x75;

/** The bit in which an ASCII letter's two cases differ. */
export const CASE_BIT = 0x20;

/** The first code unit that is not ASCII. */
export const ASCII_END = 0x80;

/** `ALPHA / DIGIT`. */
export const LET_NUM = 1;
/** `<let-num-hyp>`: `LET_NUM / "-"`. */
export const LET_NUM_HYP = 2;
/** `HEXDIG`, in both cases. */
export const HEX = 4;
/** `<trans>` of RFC 2141 §2.2 without `%`. */
export const TRANS = 8;
/** `<trans>` without `<reserved>`: the characters that RFC 2141 §2.2 never escapes. */
export const PLAIN_TRANS = 128;
/** `pchar` of RFC 3986 §3.3 without `%`. */
export const PCHAR = 16;
/** `pchar / "/"` without `%`: the characters of the NSS in RFC 8141 §2, after the first. */
export const PCHAR_SLASH = 32;
/** `pchar / "/" / "?"` without `%`: the characters of q- and f-components, after the first. */
export const PCHAR_SLASH_QUESTION = 64;

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const OTHER = "()+,-.:=@;$_!*'";

const { charCodeAt } = String.prototype;

/**
 * `text.charCodeAt(index)`, at the same speed for every string.
 *
 * Engines give different hidden classes to a slice, a joined string, a string with characters beyond U+00FF
 * and a property name. Once a call has seen more than four of them, looking up the method on the string takes
 * longer than the method itself. A loop that has read a few such strings would take three times as long from
 * then on.
 */
export function codeUnitAt(text: string, index: number): number {
  return charCodeAt.call(text, index);
}

// Engines inline a module's own constants in optimized code, but read an imported constant at every use. So
// the loops over every character of a URN are in this file, next to the table.
const TABLE_LENGTH = 0x80;
const ESCAPE_LENGTH = "%XX".length;

/** The classes of each ASCII character, as a sum of the bits above. */
const CLASSES: Uint8Array = /* @__PURE__ */ (() => {
  const classes = new Uint8Array(TABLE_LENGTH);
  const add = (characters: string, bits: number) => {
    for (let i = 0; i < characters.length; i++) classes[characters.charCodeAt(i)]! |= bits;
  };
  const pcharBits = PCHAR | PCHAR_SLASH | PCHAR_SLASH_QUESTION;
  add(LETTERS_AND_DIGITS, LET_NUM | LET_NUM_HYP | TRANS | PLAIN_TRANS | pcharBits);
  add("-", LET_NUM_HYP);
  add("0123456789ABCDEFabcdef", HEX);
  add(OTHER, TRANS | PLAIN_TRANS | pcharBits);
  add("/?#", TRANS);
  add("~&", pcharBits);
  add("/", PCHAR_SLASH | PCHAR_SLASH_QUESTION);
  add("?", PCHAR_SLASH_QUESTION);
  return classes;
})();

/** Whether a UTF-16 code unit belongs to one of the classes. */
export function isClass(unit: number, classBits: number): boolean {
  return unit < TABLE_LENGTH && (CLASSES[unit]! & classBits) !== 0;
}

/** The end of the run at `start` of characters in a class, but at most `limit`. */
export function endOfClass(text: string, start: number, limit: number, classBit: number): number {
  let i = start;
  while (i < limit) {
    const unit = codeUnitAt(text, i);
    if (unit >= TABLE_LENGTH || (CLASSES[unit]! & classBit) === 0) break;
    i++;
  }
  return i;
}

/**
 * The end of the run at `start` that consists of characters of a class and of well-formed escapes. With
 * `refuseNull`, `%00` also ends it.
 */
export function endOfEscaped(
  text: string,
  start: number,
  classBit: number,
  refuseNull: boolean,
): number {
  const { length } = text;
  let i = start;
  while (i < length) {
    const unit = codeUnitAt(text, i);
    if (unit < TABLE_LENGTH && (CLASSES[unit]! & classBit) !== 0) {
      i++;
    } else {
      const byte = unit === PERCENT ? escapedByte(text, i) : -1;
      if (byte < 0 || (byte === 0 && refuseNull)) break;
      i += ESCAPE_LENGTH;
    }
  }
  return i;
}

/** The value of a hexadecimal digit. */
function hexValue(unit: number): number {
  return unit < 0x40 ? unit - DIGIT_0 : (unit | CASE_BIT) - 0x57;
}

/** The byte of the escape (`%` and two hexadecimal digits) at `at`, or -1 when there is none. */
export function escapedByte(text: string, at: number): number {
  if (at + 2 >= text.length || codeUnitAt(text, at) !== PERCENT) return -1;
  const high = codeUnitAt(text, at + 1);
  const low = codeUnitAt(text, at + 2);
  if (!isClass(high, HEX) || !isClass(low, HEX)) return -1;
  return hexValue(high) * 16 + hexValue(low);
}

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
