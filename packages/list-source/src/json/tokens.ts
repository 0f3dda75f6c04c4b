import type { JsonScalar } from "./visitor.ts";

/** Why text is not JSON, and where. */
export interface JsonProblem {
  readonly kind: "cut" | "invalid" | "deep";
  readonly index: number;
}

/** A position in JSON text. The functions that read from it advance it. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** The maximum length of a number or another word. Longer ones occur only in hostile text. */
const MAX_WORD_LENGTH = 400;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const WORD = /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)$/;

const isBlank = (code: number): boolean =>
  code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;

const isEnd = (code: number): boolean =>
  isBlank(code) || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE;

/** Whether a value could not be read. */
export function isProblem(value: JsonScalar | JsonProblem): value is JsonProblem {
  return typeof value === "object" && value !== null;
}

export function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  let at = cursor.at;
  while (isBlank(text.charCodeAt(at))) at++;
  cursor.at = at;
}

/** The index of the closing quotation mark; -1 when there is none, or the string has a line end. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
    else if (code < SPACE) return -1;
  }
  return -1;
}

/** The text of the string between two quotation marks; null when it has an unknown escape. */
function stringAt(text: string, start: number, end: number): string | null {
  const inner = text.slice(start + 1, end);
  if (!inner.includes("\\")) return inner;
  try {
    return JSON.parse(text.slice(start, end + 1)) as string;
  } catch {
    return null;
  }
}

/**
 * The problem with a string that does not end: the text was cut short, or the string is not valid because a line end
 * follows.
 */
function unclosed(text: string, at: number): JsonProblem {
  const rest = text.indexOf("\n", at);
  return rest < 0 ? { kind: "cut", index: text.length } : { kind: "invalid", index: at };
}

function readString(cursor: Cursor): string | JsonProblem {
  const { text, at } = cursor;
  const end = endOfString(text, at);
  if (end < 0) return unclosed(text, at);
  cursor.at = end + 1;
  return stringAt(text, at, end) ?? { kind: "invalid", index: at };
}

/** Reads the name of a member, and the colon after it. */
export function readName(cursor: Cursor): string | JsonProblem {
  const { text, at } = cursor;
  if (text.charCodeAt(at) !== QUOTE) return { kind: "invalid", index: at };
  const name = readString(cursor);
  if (isProblem(name)) return name;
  skipBlanks(cursor);
  if (cursor.at >= text.length) return { kind: "cut", index: cursor.at };
  if (text.charCodeAt(cursor.at) !== COLON) return { kind: "invalid", index: cursor.at };
  cursor.at++;
  return name;
}

/**
 * Reads a string, a number, or another word.
 *
 * @param isInside whether the value is in an object or array, so that the text cannot end with it.
 */
export function readScalar(cursor: Cursor, isInside: boolean): JsonScalar | JsonProblem {
  const { text, at: start } = cursor;
  if (text.charCodeAt(start) === QUOTE) return readString(cursor);
  let at = start;
  while (at < text.length && !isEnd(text.charCodeAt(at))) at++;
  cursor.at = at;
  const word = text.slice(start, Math.min(at, start + MAX_WORD_LENGTH + 1));
  if (at === text.length && isInside) return { kind: "cut", index: at };
  if (word.length > MAX_WORD_LENGTH || !WORD.test(word)) return { kind: "invalid", index: start };
  return JSON.parse(word) as JsonScalar;
}
