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

/** The first code unit that is not ASCII. */
export const ASCII_END = 0x80;
