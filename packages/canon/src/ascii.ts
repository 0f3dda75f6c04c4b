export const SPACE = 0x20;
export const NUMBER_SIGN = 0x23;
export const PERCENT = 0x25;
export const PLUS = 0x2b;
export const HYPHEN = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COLON = 0x3a;
export const QUESTION_MARK = 0x3f;
export const BACKSLASH = 0x5c;
export const DELETE = 0x7f;

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

export function isUpperCase(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** The value of a hexadecimal digit in either case, or -1 for anything else. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Lower-cases only A–Z; `toLowerCase` would also change bytes above 0x7F. */
export function asciiLowerCase(text: string): string {
  if (!/[A-Z]/.test(text)) return text;
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
