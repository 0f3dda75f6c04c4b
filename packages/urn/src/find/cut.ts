import {
  APOSTROPHE,
  ASCII_END,
  escapedByte,
  isClass,
  LET_NUM_HYP,
  NUMBER_SIGN,
  PCHAR_SLASH_QUESTION,
  PERCENT,
  TRANS,
} from "../grammar/characters.ts";
import type { UrnSyntax } from "../options.ts";

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
 * An escape of a programming language, or a backslash before a punctuation mark, as in JSON, Markdown, LaTeX, shells and
 * properties files; each perhaps escaped again. LaTeX may have braces around it.
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
