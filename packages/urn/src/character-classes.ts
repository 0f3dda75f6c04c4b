import { CASE_BIT, DIGIT_0, PERCENT } from "./ascii.ts";

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

const { charCodeAt } = String.prototype;

/**
 * `text.charCodeAt(index)`, at the same speed for every string. How a string came about (in one piece, as
 * a slice, joined, with or without characters past U+00FF, as a property's name) is its hidden class, and
 * where more than four of them were seen, looking the method up on the string takes longer than the
 * method: a loop that once read a few odd strings would run three times slower ever after.
 */
export function codeUnitAt(text: string, index: number): number {
  return charCodeAt.call(text, index);
}

// What a module keeps to itself is folded into its optimized code; an imported constant is read at every
// use. The loops over every character of a URN are therefore here, beside the table.
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

/** The end of the run of characters of a class that starts at `start`; at most `limit`. */
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
 * The end of the run of characters of a class and well-formed escapes that starts at `start`; with
 * `refuseNull`, `%00` ends it as well.
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
      const octet = unit === PERCENT ? escapedOctet(text, i) : -1;
      if (octet < 0 || (octet === 0 && refuseNull)) break;
      i += ESCAPE_LENGTH;
    }
  }
  return i;
}

/** The value of a hexadecimal digit that is known to be one. */
function hexValue(unit: number): number {
  return unit < 0x40 ? unit - DIGIT_0 : (unit | CASE_BIT) - 0x57;
}

/** The octet that `%` and two hexadecimal digits at `at` stand for, or -1 when there is no such escape. */
export function escapedOctet(text: string, at: number): number {
  if (at + 2 >= text.length || codeUnitAt(text, at) !== PERCENT) return -1;
  const high = codeUnitAt(text, at + 1);
  const low = codeUnitAt(text, at + 2);
  if (!isClass(high, HEX) || !isClass(low, HEX)) return -1;
  return hexValue(high) * 16 + hexValue(low);
}
