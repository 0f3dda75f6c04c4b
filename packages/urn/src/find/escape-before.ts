import { DIGIT_9, isClass, LET_NUM, LOW_LINE } from "../grammar/characters.ts";

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
export type Before =
  | "character"
  | "underscores"
  | "percent-escape"
  | "quoted-printable"
  | "other-escape";

/**
 * The text directly before an index, of at most the length of the longest escape. `previous` is the text before `text`.
 */
export function textBefore(text: string, at: number, previous: string): string {
  const start = at - MAX_ESCAPE_LENGTH;
  return start < 0 ? previous.slice(start) + text.slice(0, at) : text.slice(start, at);
}

/**
 * The kind of the text `before` a URN, or `null` when no URN can start after it, because it ends in a letter or a digit,
 * perhaps followed by underscores. An escape counts as the character that it stands for.
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
 * RFC 3986 §3.1: whether `urn` after this text would be the last part of another scheme, as in `x-urn:`. After two dashes
 * or dots, it is a word of its own.
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
