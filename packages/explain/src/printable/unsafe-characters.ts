/**
 * Characters that a reader would not see, or would see in another place: controls, format characters, surrogates,
 * private-use and unassigned characters, blanks other than the space, fillers, and every combining mark after the third
 * on one letter.
 */
export const UNSAFE_CHARACTERS: RegExp =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;

const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Whether a text is printable ASCII, which has no unsafe characters. The test is fast.
 *
 * @example
 * ```ts
 * import { isPlain } from "@x/explain/printable";
 *
 * isPlain("evil.example/"); // → true
 * isPlain("\u202egnp.exe"); // → false
 * ```
 */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * The escape of a character: `\u{…}` with its code point in hexadecimal.
 *
 * @example
 * ```ts
 * import { spellOut } from "@x/explain/printable";
 *
 * spellOut("\u202e"); // → "\\u{202e}"
 * ```
 */
export function spellOut(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
