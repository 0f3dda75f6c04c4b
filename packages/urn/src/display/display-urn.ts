import { formatUrn } from "../format.ts";
import { ASCII_END, DIGIT_9, isClass, LET_NUM, PERCENT } from "../grammar/characters.ts";
import { escapedCodePoint, utf8Length } from "../grammar/escaped-utf8.ts";
import { normalizeUrn } from "../normalize.ts";
import type { UrnSyntaxOptions } from "../options.ts";
import { parseUrn } from "../parse.ts";
import type { Urn } from "../urn.ts";
import { isShownWord, type ShownCharacter, shownCharacter, type Word } from "./shown-words.ts";

declare const notAUrn: unique symbol;

/** Text for people to read. The text is not a URN: do not store, send, compare or parse it. */
export type UrnDisplayText = string & { readonly [notAUrn]: true };

/** Two forms of a URN to show to people. */
export interface UrnDisplay {
  /** The URN in its normal form. Copy, store and send this form. */
  readonly canonical: string;
  /**
   * The canonical form, in which escapes of letters, digits and marks are decoded where that cannot mislead. The result
   * is not a URN.
   */
  readonly readable: UrnDisplayText;
}

/**
 * Returns two forms of a URN to show to people: its canonical form, and a readable form in which escapes of
 * visible non-ASCII characters are decoded once.
 *
 * Only letters, digits and marks are decoded, word by word. These escapes stay:
 *
 * - escapes of ASCII, punctuation, symbols, spaces, controls, and invisible or unassigned characters;
 * - escapes whose bytes are not well-formed UTF-8;
 * - escapes of characters in scripts that UAX #31 does not recommend, or that are written from right to left
 *   (they would move the text around them);
 * - escapes of characters that resemble a delimiter, of Latin letters that resemble others, and of
 *   compatibility forms, such as full-width letters;
 * - all escapes of a word that mixes alphabets, that has more than 30 marks in a row, that is not in the
 *   normal form NFC, or that could be read as another word in ASCII (`%D0%B0` is a Cyrillic `а`).
 *
 * Which characters are known depends on the platform's version of Unicode.
 *
 * @throws {UrnError} with the codes of `parseUrn` or, for a record, of `formatUrn`.
 * @throws {TypeError} when the argument is neither a string nor the record of a URN.
 * @example
 * ```ts
 * import { displayUrn } from "@x/urn";
 *
 * const { canonical, readable } = displayUrn("URN:example:Z%c3%bcrich%2C%20a");
 * canonical; // → "urn:example:Z%C3%BCrich%2C%20a"
 * readable; // → "urn:example:Zürich%2C%20a"
 * ```
 * @see RFC 2141 §4, RFC 8141 §3.2
 */
export function displayUrn(urn: Urn | string, options?: UrnSyntaxOptions): UrnDisplay {
  const parsed = typeof urn === "string" ? parseUrn(urn, options) : urn;
  const canonical = formatUrn(normalizeUrn(parsed), options);
  return { canonical, readable: decodeWords(canonical) as UrnDisplayText };
}

/** Decodes the words (runs of letters, digits and escapes) that may be shown decoded. */
function decodeWords(urn: string): string {
  let result = "";
  let i = 0;
  while (i < urn.length) {
    const word = readWord(urn, i);
    result += isShownWord(word) ? word.text : urn.slice(i, word.end);
    // An escape that ends the word is copied whole, so that its digits do not start a new word.
    i = word.end + (urn.charCodeAt(word.end) === PERCENT ? "%XX".length : 1);
    result += urn.slice(word.end, i);
  }
  return result;
}

function readWord(urn: string, start: number): Word & { end: number } {
  const decoded: ShownCharacter[] = [];
  let text = "";
  let hasAsciiLetter = false;
  let previous: ShownCharacter | null = null;
  let i = start;
  for (;;) {
    const unit = urn.charCodeAt(i);
    if (isClass(unit, LET_NUM)) {
      hasAsciiLetter ||= unit > DIGIT_9;
      previous = null;
      text += urn.charAt(i);
      i++;
      continue;
    }
    const codePoint = escapedCodePoint(urn, i);
    const shown: ShownCharacter | null =
      codePoint < ASCII_END ? null : shownCharacter(codePoint, previous);
    if (shown === null) return { text, decoded, hasAsciiLetter, end: i };
    decoded.push(shown);
    previous = shown;
    text += shown.character;
    i += 3 * utf8Length(codePoint);
  }
}
