/**
 * Decides which words a display may show decoded.
 *
 * The scripts are the Recommended Scripts of UAX #31 (Table 5) that are written from left to right. The look-alikes are
 * chosen by hand, among characters that UTS #39 calls confusable with ASCII characters and others that look similar.
 */

/** A decoded character, and the facts that decide whether its word is shown decoded. */
export interface ShownCharacter {
  readonly character: string;
  readonly script: string;
  readonly isMark: boolean;
  /** Whether the character looks like an ASCII letter, digit, hyphen or plus sign. */
  readonly looksAscii: boolean;
}

/** A run of ASCII letters and digits and decoded characters. */
export interface Word {
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
export function shownCharacter(
  codePoint: number,
  previous: ShownCharacter | null,
): ShownCharacter | null {
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
export function isShownWord(word: Word): boolean {
  const script = word.decoded[0]?.script;
  if (word.decoded.some((shown) => shown.script !== script)) return false;
  if (hasTooManyMarks(word.decoded) || word.text.normalize("NFC") !== word.text) return false;
  if (script === LATIN) return true;
  if (word.decoded.every((shown) => shown.looksAscii)) return false;
  return script === EAST_ASIAN || !word.hasAsciiLetter;
}
