import { ASCII_END, DIGIT_9, PERCENT } from "./ascii.ts";
import { isClass, LET_NUM } from "./character-classes.ts";
import { formatUrn } from "./format.ts";
import { normalizeUrn } from "./normalize.ts";
import { parseUrn } from "./parse.ts";
import type { UrnSyntaxOptions } from "./syntax.ts";
import type { Urn } from "./urn.ts";
import { escapedCodePoint, utf8Length } from "./utf8.ts";
import { isShownWord, type ShownCharacter, shownCharacter, type Word } from "./visible.ts";

declare const notAUrn: unique symbol;

/** Text for people to read. It is not a URN: do not store it, send it, compare it or parse it. */
export type UrnDisplayText = string & { readonly [notAUrn]: true };

/** A URN for people. */
export interface UrnDisplay {
  /** The URN itself, in normal form: what is copied, stored and sent. */
  readonly canonical: string;
  /** The same with the escapes of visible characters decoded. Not a URN. */
  readonly readable: UrnDisplayText;
}

/**
 * A URN as people may be shown it: its canonical form always, and beside it a form in which escapes of
 * visible non-ASCII characters are decoded, one level.
 *
 * Only letters, digits and marks are decoded, word by word. An escape stays when it is
 * of an ASCII character, of punctuation, a symbol, a space, a control, an invisible or unassigned
 * character, or of octets that are not well-formed UTF-8; when the character is written from right to left
 * (it would move its neighbours), resembles a delimiter, or has an equivalent form; and when its word mixes
 * alphabets or could pass for another in ASCII (`%D0%B0` is a Cyrillic `а`). Which characters are known
 * depends on the platform's version of Unicode.
 *
 * @throws {UrnError} with the codes of `parseUrn` or, for a record, of `formatUrn`.
 * @throws {TypeError} when the argument is neither a string nor a URN's record.
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

/** Decodes those words of a URN that may be shown decoded: runs of letters, digits and their escapes. */
function decodeWords(urn: string): string {
  let result = "";
  let i = 0;
  while (i < urn.length) {
    const word = readWord(urn, i);
    result += isShownWord(word) ? word.text : urn.slice(i, word.end);
    // The escape that ended the word stays whole: its digits start no word.
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
