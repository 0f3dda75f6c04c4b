/**
 * What a reader would not see, or would see elsewhere: controls, formats, surrogates, private and unassigned
 * characters, blanks other than the space, fillers, and the fourth and later of the marks that stand above or
 * below one letter.
 */
export const UNSAFE: RegExp =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;

const PLAIN = /^[\x20-\x7e]*$/;

/** Whether a text is printable ASCII, in which nothing is {@link UNSAFE}; quick to find out. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A character as `\u{202e}`. */
export function spellOut(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
