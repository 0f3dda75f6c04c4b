/** Names for the ASCII characters that the URN grammars mention. */
export const NUMBER_SIGN = 0x23;
export const PERCENT = 0x25;
export const PLUS = 0x2b;
export const HYPHEN = 0x2d;
export const SLASH = 0x2f;
export const DIGIT_0 = 0x30;
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

/** The number of ASCII characters: what is not below it is in no class. */
export const ASCII_END = 0x80;

/** `ALPHA / DIGIT`. */
export const LET_NUM = 1;
/** `<let-num-hyp>`: `LET_NUM / "-"`. */
export const LET_NUM_HYP = 2;
/** `HEXDIG`, in both cases. */
export const HEX = 4;
/** `<trans>` of RFC 2141 §2.2 without `%`. */
export const TRANS = 8;
/** `<trans>` without `<reserved>`: what RFC 2141 §2.2 lets stand for itself. */
export const PLAIN_TRANS = 128;
/** `pchar` of RFC 3986 §3.3 without `%`. */
export const PCHAR = 16;
/** `pchar / "/"` without `%`: what the NSS of RFC 8141 §2 goes on with. */
export const PCHAR_SLASH = 32;
/** `pchar / "/" / "?"` without `%`: what the q- and f-component go on with. */
export const PCHAR_SLASH_QUESTION = 64;

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const OTHER = "()+,-.:=@;$_!*'";

/** The classes of each ASCII character, as a sum of the bits above. */
export const CLASSES: Uint8Array = /* @__PURE__ */ (() => {
  const classes = new Uint8Array(ASCII_END);
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
  return unit < ASCII_END && (CLASSES[unit]! & classBits) !== 0;
}

/** The value of a hexadecimal digit that is known to be one. */
function hexValue(unit: number): number {
  return unit < 0x40 ? unit - DIGIT_0 : (unit | CASE_BIT) - 0x57;
}

/** The octet that `%` and two hexadecimal digits at `at` stand for, or -1 when there is no such escape. */
export function escapedOctet(text: string, at: number): number {
  // Past the end charCodeAt gives NaN, which no comparison holds for.
  if (text.charCodeAt(at) !== PERCENT) return -1;
  const high = text.charCodeAt(at + 1);
  const low = text.charCodeAt(at + 2);
  if (!isClass(high, HEX) || !isClass(low, HEX)) return -1;
  return hexValue(high) * 16 + hexValue(low);
}
