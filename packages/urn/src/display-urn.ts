import {
  ASCII_END,
  DIGIT_9,
  escapedCodePoint,
  isClass,
  LET_NUM,
  PERCENT,
  utf8Length,
} from "./characters.ts";
import { formatUrn, normalizeUrn } from "./format.ts";
import type { UrnSyntaxOptions } from "./options.ts";
import { parseUrn, type Urn } from "./parse.ts";

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

/**
 * Decides which words a display may show decoded.
 *
 * The scripts are the Recommended Scripts of UAX #31 (Table 5) that are written from left to right. The look-alikes are
 * chosen by hand, among characters that UTS #39 calls confusable with ASCII characters and others that look similar.
 */

/** A decoded character, and the facts that decide whether its word is shown decoded. */
interface ShownCharacter {
  readonly character: string;
  readonly script: string;
  readonly isMark: boolean;
  /** Whether the character looks like an ASCII letter, digit, hyphen or plus sign. */
  readonly looksAscii: boolean;
}

/** A run of ASCII letters and digits and decoded characters. */
interface Word {
  readonly text: string;
  readonly decoded: readonly ShownCharacter[];
  readonly hasAsciiLetter: boolean;
}

/** The name for scripts that may be mixed in one word, even with ASCII letters. */
const EAST_ASIAN = "East Asian";
const LATIN = "Latin";

const SCRIPTS: ReadonlyMap<string, RegExp> = new Map([
  [LATIN, /\p{Script=Latin}/u],
  // Only whole syllables of Hangul are included, because single Hangul letters look like strokes, dots and rings.
  [EAST_ASIAN, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}가-힣ー]/u],
  ...[
    "Cyrillic",
    "Greek",
    "Devanagari",
    "Thai",
    "Bengali",
    "Tamil",
    "Telugu",
    "Gujarati",
    "Gurmukhi",
    "Kannada",
    "Malayalam",
    "Oriya",
    "Sinhala",
    "Armenian",
    "Georgian",
    "Ethiopic",
    "Khmer",
    "Lao",
    "Myanmar",
    "Tibetan",
  ].map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")] as const),
]);

const LETTER_OR_DIGIT = /[\p{L}\p{Nd}\p{Nl}]/u;
const MARK = /\p{M}/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Matches decomposed Latin letters whose base letter looks like no other. `é` is an `e` with a mark. */
const DISTINCT_LATIN = /^[A-Za-zÆæÐðØøÞþßẞĐđĦħĸŁłŊŋŒœŦŧƏə]/;

/** Letters and marks that look like `/`, `:` or `?`, such as two dots one above the other or a bare stroke. */
const LOOKS_LIKE_DELIMITER =
  /[ノ丿ॽ\u0903\u0983\u0a03\u0a83\u0b03\u0c03\u0c83\u0d03\u0d83\u0f7f\u1038\u17c7\u17c8]/u;

const LOOKS_LIKE_ASCII = new Set(
  // Cyrillic, Greek, Armenian, then letters and digits of other scripts that look like a ring, a hook or a digit.
  "АВЕЅІЈКМНОРСТУХЬЫЮҮԌԚԜӀЗӠѴӔꙄꚘбаеѕіјорсухһԁԛԝӏѵүьзчгґпиѡкӡҽӕꙇꚙ" +
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϜϺͿαγεηικνορστυωϲϳᴦ" +
    "ՍՏՕՑԼԶազգհյոռսցւքօֆ" +
    "०੦੧੪૦୦୨௦౦೦൦൭๐໐༠၀០০৪৭ଠഠංဝߋօჿსყძხოዐሀሰ" +
    // Strokes and boxes.
    "〇〡〢〣一二丨丶十卜口囗工ーエニロト",
);

/**
 * Returns the character, or `null` when it must stay escaped. `previous` is the decoded character before it in
 * the same word.
 */
function shownCharacter(codePoint: number, previous: ShownCharacter | null): ShownCharacter | null {
  const character = String.fromCodePoint(codePoint);
  const isMark = MARK.test(character);
  if (!isMark && !LETTER_OR_DIGIT.test(character)) return null;
  if (INVISIBLE.test(character) || LOOKS_LIKE_DELIMITER.test(character)) return null;
  // Compatibility forms stay escaped, such as full-width, circled and superscript characters, and ligatures.
  if (character.normalize("NFKC") !== character) return null;
  const script = scriptOf(character);
  if (script === null) return null;
  if (isMark && previous?.script !== script) return null;
  if (script === LATIN && !DISTINCT_LATIN.test(character.normalize("NFD"))) return null;
  return { character, script, isMark, looksAscii: LOOKS_LIKE_ASCII.has(character) };
}

function scriptOf(character: string): string | null {
  for (const [script, characters] of SCRIPTS) if (characters.test(character)) return script;
  return null;
}

/**
 * The maximum number of marks in a row that the Stream-Safe Text Format allows (UAX #15 §13). Normalization
 * sorts the marks in a row, which takes quadratic time.
 */
const MAX_MARKS = 30;

function hasTooManyMarks(characters: readonly ShownCharacter[]): boolean {
  let marks = 0;
  for (const { isMark } of characters) {
    marks = isMark ? marks + 1 : 0;
    if (marks > MAX_MARKS) return true;
  }
  return false;
}

/** Whether a word uses one alphabet, is in the normal form NFC, and cannot be mistaken for another word in ASCII. */
function isShownWord(word: Word): boolean {
  const script = word.decoded[0]?.script;
  if (word.decoded.some((shown) => shown.script !== script)) return false;
  if (hasTooManyMarks(word.decoded) || word.text.normalize("NFC") !== word.text) return false;
  if (script === LATIN) return true;
  if (word.decoded.every((shown) => shown.looksAscii)) return false;
  return script === EAST_ASIAN || !word.hasAsciiLetter;
}
