import {
  APOSTROPHE,
  ASCII_END,
  DIGIT_9,
  escapedByte,
  isClass,
  LET_NUM,
  LET_NUM_HYP,
  LOW_LINE,
  NUMBER_SIGN,
  PCHAR_SLASH_QUESTION,
  PERCENT,
  TRANS,
} from "./characters.ts";
import type { UrnSyntax } from "./options.ts";

/** What is before a URN or, if the URN is an entry of a list such as `urn:a:b,urn:a:c`, before the whole list. */
export interface Opening {
  readonly text: string;
  readonly kind: Before;
}

/**
 * Returns the index at which the text around a URN that starts at `start` ends it. Call the function for URNs in
 * ascending order.
 */
type ClosingFinder = (start: number, opening: Opening) => number;

/** Delimiters that both open and close a text. RFC 2141 or RFC 8141 allows each of these characters in a URN. */
const CLOSE_THEMSELVES = ["'", "*", "~"];

/** HTML §13.5: the longest name has 31 letters. */
const CHARACTER_REFERENCE = /&(?:#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6}|[A-Za-z][0-9A-Za-z]{1,30});/g;
/** CommonMark §6.2: underscores inside a word close nothing, and at most three in a row have a meaning. */
const UNDERSCORES = [1, 2, 3].map((count) => new RegExp(`(?<!_)_{${count},}(?![0-9A-Za-z_])`, "g"));
const PERCENT_ESCAPE = /%(?:25)*([0-9A-Fa-f]{2})/g;
const QUOTED_PRINTABLE = /=([0-9A-F]{2})/g;
/** A comma or a semicolon between two URNs, as in the values of SAML attributes. */
const LIST_SEPARATOR = /[,;](?=urn:[0-9a-z][0-9a-z-]{0,31}:[^\s"<>])/gi;

/**
 * Returns a function that finds the delimiter that ends a URN: an apostrophe, an asterisk, a tilde or underscores that
 * are also before the URN, a character reference of HTML, the `&` before the next parameter of a query, or, in escaped
 * text, an escape of a delimiter; and the comma or semicolon before the next URN of a list.
 */
export function closingFinder(text: string): ClosingFinder {
  // Each search goes on where the last one ended, so all searches together read the text once for each pattern.
  const places = new Map<string, number>();
  const next = (name: string, from: number, search: (from: number) => number): number => {
    let place = places.get(name) ?? -1;
    if (place < from) {
      place = search(from);
      places.set(name, place === -1 ? Infinity : place);
    }
    return place === -1 ? Infinity : place;
  };
  const nextCharacter = (character: string, from: number) =>
    next(character, from, (start) => text.indexOf(character, start));
  const nextMatch = (pattern: RegExp, from: number) =>
    next(pattern.source, from, (start) => searchFrom(pattern, text, start));

  return (start, { text: before, kind }) => {
    const opening = before.charAt(before.length - 1);
    const ends = [nextMatch(CHARACTER_REFERENCE, start), nextMatch(LIST_SEPARATOR, start)];
    if (kind === "underscores") {
      ends.push(nextMatch(UNDERSCORES[underscoresAtEnd(before) - 1]!, start));
    }
    if (CLOSE_THEMSELVES.includes(opening)) ends.push(nextCharacter(opening, start));
    if (opening === "=" || kind === "percent-escape") ends.push(nextCharacter("&", start));
    if (kind === "percent-escape") ends.push(nextMatch(PERCENT_ESCAPE, start));
    if (kind === "quoted-printable") ends.push(nextMatch(QUOTED_PRINTABLE, start));
    return Math.min(...ends, text.length);
  };
}

/** The number of underscores at the end of a text, from 1 to 3. */
function underscoresAtEnd(before: string): number {
  return /_{1,3}$/.exec(before)![0].length;
}

/** The index of the first match from `start` on that ends a URN, or -1. */
function searchFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  for (;;) {
    const match = pattern.exec(text);
    if (match === null) return -1;
    if (match[1] === undefined || isDelimiter(Number.parseInt(match[1], 16))) return match.index;
  }
}

/** Whether an escaped byte ends a URN, because it is an apostrophe or a character that RFC 2141 §2.4 excludes. */
function isDelimiter(byte: number): boolean {
  return byte === APOSTROPHE || !(isClass(byte, TRANS) || byte === PERCENT);
}

/** Characters that are invisible inside a word: the soft hyphen, zero-width characters and the word joiner. */
const INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff";
/** Hyphens, and the dashes and signs that programs use in place of a hyphen. */
const HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d";
/** Programs and people write an ellipsis in place of the rest of a name. */
const ELLIPSIS = "\u2026";
const DOTS = "...";
const LAST_CODE_POINT = 0x10ffff;
const JOINTS = INVISIBLE + HYPHENS + ELLIPSIS;

/** HTML §13.5: the names of the ASCII characters that a URN may contain, apart from `&apos;`, which closes values. */
const NAMES: Readonly<Record<string, string>> = {
  amp: "&",
  ast: "*",
  bsol: "\\",
  colon: ":",
  comma: ",",
  commat: "@",
  dollar: "$",
  equals: "=",
  excl: "!",
  lowbar: "_",
  lpar: "(",
  midast: "*",
  num: "#",
  percnt: "%",
  period: ".",
  plus: "+",
  quest: "?",
  rpar: ")",
  semi: ";",
  sol: "/",
  UnderBar: "_",
};
/** HTML §13.5: the names of joints and of the ellipsis. */
const NAME_OF_JOINT =
  /^(?:shy|ZeroWidthSpace|Negative(?:VeryThin|Thin|Medium|Thick)Space|zwn?j|NoBreak|hellip|mldr|hyphen|n?dash|minus)$/;
/** A character reference, perhaps escaped again, as in `&amp;#43;`. Of all joints, only `&shy` needs no semicolon. */
const REFERENCE =
  /&(?:amp;){0,4}(?:#0{0,8}([0-9]{1,7});|#[Xx]0{0,8}([0-9A-Fa-f]{1,6});|(shy|[A-Za-z]{1,31}(?=;)))/y;
/**
 * An escape of a programming language, or a backslash before a punctuation mark, as in JSON, Markdown, LaTeX, shells
 * and properties files; each perhaps escaped again. LaTeX may have braces around it.
 */
const BACKSLASH_ESCAPE =
  /\{?\\{1,8}(?:u+([0-9A-Fa-f]{4})|u\{0{0,8}([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([0-7]{2,3})|([!-/:-@[-`{-~]))/y;
/** LaTeX: a character in braces, or a command for a character or for a place where a line may end. */
const LATEX =
  /\{(.)\}|\{?\\(?:slash|textunderscore|textendash|allowbreak|linebreak|discretionary)(?![A-Za-z])/y;
/** A shell: an apostrophe inside a text that is in apostrophes. */
const QUOTED_APOSTROPHE = "'\\''";

/** Whether the name in `text` that ends at `end` seems to go on. `before` is the text before the URN. */
export function isCutAt(text: string, end: number, before: string, syntax: UrnSyntax): boolean {
  // The dots may already have been left out as punctuation at the end of the URN.
  if (text.startsWith(DOTS, end) || text.startsWith(DOTS, end - DOTS.length)) return true;
  const next = text.charAt(end);
  if (next === "") return false;
  if (next === "\n" || next === "\r") return "-/=".includes(text.charAt(end - 1));
  // RFC 8141 allows "~". In Markdown, tildes enclose text.
  if (next === "~") return syntax === "rfc2141" && !before.endsWith("~");
  if (next === "%") return escapedByte(text, end) === -1;
  return JOINTS.includes(next) || isCutAtEscape(text, end, before, syntax);
}

/** Whether an escape at `end` stands for a character of the name. */
export function isCutAtEscape(
  text: string,
  end: number,
  before: string,
  syntax: UrnSyntax,
): boolean {
  return goesOn(meaningAt(text, end, before), syntax);
}

/** Whether an escape at `end`, where a NID stops, stands for a character of a NID, and a colon follows. */
export function isNidCut(text: string, end: number, before: string): boolean {
  const byte = text.charAt(end) === "%" ? escapedByte(text, end) : -1;
  const meaning = byte === -1 ? meaningAt(text, end, before) : String.fromCharCode(byte);
  const isInNid = JOINTS.includes(meaning) || isClass(meaning.charCodeAt(0), LET_NUM_HYP);
  return meaning !== "" && isInNid && matchAt(REST_OF_NID, text, end) !== null;
}

/** The rest of a NID with escapes, its colon, and the start of a name. */
const REST_OF_NID = /[\w&#;\\{}%-]{1,256}:[^\s<>"]/y;

/** The character that an escape at `end` stands for, or a joint; empty if there is no escape. */
function meaningAt(text: string, end: number, before: string): string {
  const next = text.charAt(end);
  if (next === "'") return text.startsWith(QUOTED_APOSTROPHE, end) ? text.charAt(end + 4) : "";
  if (next === "&") {
    const [, decimal, hexadecimal, name] = matchAt(REFERENCE, text, end) ?? [];
    if (name === undefined) {
      return decimal === undefined ? fromHex(hexadecimal) : fromCode(Number(decimal));
    }
    if (NAME_OF_JOINT.test(name)) return ELLIPSIS;
    const meaning = Object.hasOwn(NAMES, name) ? NAMES[name]! : "";
    // The value of a parameter ends at an ampersand.
    return meaning === "&" && before.endsWith("=") ? "" : meaning;
  }
  if (next !== "\\" && next !== "{") return "";
  const latex = matchAt(LATEX, text, end);
  if (latex !== null) return latex[1] ?? ELLIPSIS;
  // In shells, in C and in properties files, one backslash at the end of a line joins the next line.
  if (/^\\[\r\n]/.test(text.slice(end, end + 2))) return ELLIPSIS;
  const [, u, braced, long, x, octal, mark] = matchAt(BACKSLASH_ESCAPE, text, end) ?? [];
  // The mark closes a text if it is also escaped before the URN, as in `\*urn:a:b\*` or `\(urn:a:b\)`.
  if (mark !== undefined) return before.endsWith(`\\${mark === ")" ? "(" : mark}`) ? "" : mark;
  if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
  return fromHex(u ?? braced ?? long ?? x);
}

/** Whether a name goes on with a character. An apostrophe more likely closes a text. */
function goesOn(character: string, syntax: UrnSyntax): boolean {
  if (character === "") return false;
  if (JOINTS.includes(character) || character === "~") return true;
  const unit = character.charCodeAt(0);
  if (unit >= ASCII_END || unit === APOSTROPHE) return false;
  return (
    unit === PERCENT ||
    unit === NUMBER_SIGN ||
    isClass(unit, syntax === "rfc2141" ? TRANS : PCHAR_SLASH_QUESTION)
  );
}

function fromHex(digits: string | undefined): string {
  return digits === undefined ? "" : fromCode(Number.parseInt(digits, 16));
}

function fromCode(code: number): string {
  return String.fromCodePoint(Math.min(code, LAST_CODE_POINT));
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The maximum length of an escape or a control sequence before a URN. Longer ones are not recognized. */
export const MAX_ESCAPE_LENGTH = 64;

const ESCAPE = "\\u001b";
/** The forms in which texts show the ASCII character ESC. */
const SHOWN_ESCAPE = "\\\\(?:e|x1b|u001b|0?33)|\\^\\[";

const BEFORE: readonly {
  readonly kind: Exclude<Before, "character" | "underscores">;
  readonly pattern: RegExp;
  readonly radix?: number;
}[] = [
  // RFC 3986 §2.1; each "25" is one more level of encoding.
  { kind: "percent-escape", pattern: /%(?:25)*([0-9A-Fa-f]{2})$/, radix: 16 },
  // RFC 2045 §6.7: upper-case digits.
  { kind: "quoted-printable", pattern: /=([0-9A-F]{2})$/, radix: 16 },
  { kind: "other-escape", pattern: /\\x([0-9A-Fa-f]{2})$/, radix: 16 },
  { kind: "other-escape", pattern: /[\\%]u([0-9A-Fa-f]{4})$/, radix: 16 },
  { kind: "other-escape", pattern: /\\U([0-9A-Fa-f]{8})$/, radix: 16 },
  { kind: "other-escape", pattern: /\\([0-7]{1,3})$/, radix: 8 },
  // Control characters in strings of JSON, C, Java, Python and others.
  { kind: "other-escape", pattern: /\\[abefnrstv]$/ },
  // ECMA-48 §5.4 and ECMA-35 §13.2: colours and other control sequences of terminals.
  {
    kind: "other-escape",
    pattern: new RegExp(`(?:(?:${ESCAPE}|${SHOWN_ESCAPE})\\[|\\u009b)[0-?]*[ -/]*[@-~]$`, "i"),
  },
  { kind: "other-escape", pattern: new RegExp(`${ESCAPE}[ -/]*[0-~]$`) },
];

/**
 * Every escape contains one of these characters. In running text, most words that end in `urn:`, such as "return:",
 * have no escape before `urn:`.
 */
const MARK = new RegExp(`[\\\\%=^\\u009b${ESCAPE}]`);

/** The kind of text directly before a URN. */
type Before = "character" | "underscores" | "percent-escape" | "quoted-printable" | "other-escape";

/**
 * The text directly before an index, of at most the length of the longest escape. `previous` is the text before `text`.
 */
export function textBefore(text: string, at: number, previous: string): string {
  const start = at - MAX_ESCAPE_LENGTH;
  return start < 0 ? previous.slice(start) + text.slice(0, at) : text.slice(start, at);
}

/**
 * The kind of the text `before` a URN, or `null` when no URN can start after it, because it ends in a letter or a
 * digit, perhaps followed by underscores. An escape counts as the character that it stands for.
 */
export function kindOfBefore(before: string): Before | "other-scheme" | null {
  const last = before.charAt(before.length - 1);
  if (last === "") return "character";
  if ("+.-".includes(last)) return startsOtherScheme(before) ? "other-scheme" : "character";
  if (!isWordCharacter(last.charCodeAt(0))) return "character";
  if (last !== "_") return escapeAtEnd(before);
  const outside = before.replace(/_+$/, "");
  if (outside === "" && before.length === MAX_ESCAPE_LENGTH) return null;
  const isWord = outside !== "" && isWordCharacter(outside.charCodeAt(outside.length - 1));
  return isWord && escapeAtEnd(outside) === null ? null : "underscores";
}

/**
 * The kind of the escape at the end of a text, or `null` if there is none, or it stands for a letter, a digit or `_`.
 */
function escapeAtEnd(before: string): Before | null {
  if (!MARK.test(before)) return null;
  for (const { kind, pattern, radix } of BEFORE) {
    const digits = pattern.exec(before)?.[radix === undefined ? 0 : 1];
    if (digits === undefined) continue;
    if (radix !== undefined && isWordCharacter(Number.parseInt(digits, radix))) continue;
    return kind;
  }
  return null;
}

/**
 * RFC 3986 §3.1: whether `urn` after this text would be the last part of another scheme, as in `x-urn:`. After two
 * dashes or dots, it is a word of its own.
 */
function startsOtherScheme(before: string): boolean {
  if ("+.-".includes(before.charAt(before.length - 2))) return false;
  for (let at = before.length - 1; at > 0; at--) {
    const unit = before.charCodeAt(at - 1);
    if (!isClass(unit, LET_NUM) && !"+.-".includes(before.charAt(at - 1))) return false;
    // An escape is not a part of a scheme.
    if (escapeAtEnd(before.slice(0, at)) !== null) return false;
    if (isClass(unit, LET_NUM) && unit > DIGIT_9) return true;
  }
  return false;
}

function isWordCharacter(unit: number): boolean {
  return isClass(unit, LET_NUM) || unit === LOW_LINE;
}
