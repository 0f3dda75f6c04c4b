import { openValues } from "./open-values.ts";
import type { JsonObject, JsonScalar, JsonVisitor } from "./visitor.ts";

/** Why text is not JSON, and where. */
export interface JsonProblem {
  readonly kind: "cut" | "invalid" | "deep";
  readonly index: number;
}

/** How deeply objects and arrays may be nested. */
export const MAX_DEPTH: number = 100;
/** No number of JSON is this long, except to do harm. */
const MAX_WORD_LENGTH = 400;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const WORD = /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)$/;

const isBlank = (code: number): boolean =>
  code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;

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

/** A string without an end was cut short with the text, unless it has a line end. */
function unclosed(text: string, at: number): JsonProblem {
  const rest = text.indexOf("\n", at);
  return rest < 0 ? { kind: "cut", index: text.length } : { kind: "invalid", index: at };
}

/**
 * Reads one JSON value, or several with nothing but blanks between them, without building a tree. Returns what is wrong
 * with the text, or `null`.
 *
 * Takes linear time. Strings that no visitor asks for are not checked for escapes that JSON does not have.
 */
export function scanJson<Place>(text: string, visitor: JsonVisitor<Place>): JsonProblem | null {
  const values = openValues(visitor);
  /** What comes next: a value, a name, or what follows a value. */
  let next = "value" as "value" | "name" | "after";
  /** Whether the array or object has just begun, so that it may also end here. */
  let isFirst = false;
  let hasValue = false;
  let at = 0;

  function endValue(): void {
    const isInside = values.isInside();
    hasValue ||= !isInside;
    next = isInside ? "after" : "value";
    isFirst = false;
  }

  function close(): void {
    at++;
    values.close(at);
    endValue();
  }

  /** Reads the name of a member, and the colon after it. */
  function readName(code: number): JsonProblem | null {
    const end = code === QUOTE ? endOfString(text, at) : -1;
    if (code === QUOTE && end < 0) return unclosed(text, at);
    const name = end < 0 ? null : stringAt(text, at, end);
    if (name === null) return { kind: "invalid", index: at };
    at = end + 1;
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) return { kind: "cut", index: at };
    if (text.charCodeAt(at) !== COLON) return { kind: "invalid", index: at };
    at++;
    values.startMember(name);
    next = "value";
    isFirst = false;
    return null;
  }

  /** Reads a string, a number, or another word. */
  function readScalar(code: number): JsonProblem | null {
    const start = at;
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return unclosed(text, at);
      const value = stringAt(text, at, end);
      if (value === null) return { kind: "invalid", index: at };
      at = end + 1;
      values.addScalar(value, start);
    } else {
      while (at < text.length && !isEnd(text.charCodeAt(at))) at++;
      const word = text.slice(start, Math.min(at, start + MAX_WORD_LENGTH + 1));
      if (at === text.length && values.isInside()) return { kind: "cut", index: at };
      if (word.length > MAX_WORD_LENGTH || !WORD.test(word)) {
        return { kind: "invalid", index: start };
      }
      values.addScalar(JSON.parse(word) as JsonScalar, start);
    }
    endValue();
    return null;
  }

  for (;;) {
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) {
      return !values.isInside() && hasValue ? null : { kind: "cut", index: text.length };
    }
    const code = text.charCodeAt(at);
    let problem: JsonProblem | null = null;
    if (next === "after") {
      const isArray = values.isInArray();
      if (code === COMMA) {
        next = isArray ? "value" : "name";
        at++;
      } else if (code === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) close();
      else problem = { kind: "invalid", index: at };
    } else if (next === "name") {
      if (code === CLOSE_BRACE && isFirst) close();
      else problem = readName(code);
    } else if (code === CLOSE_BRACKET && isFirst && values.isInArray()) close();
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (values.depth() >= MAX_DEPTH) return { kind: "deep", index: at };
      const isArray = code === OPEN_BRACKET;
      values.open(isArray, at);
      next = isArray ? "value" : "name";
      isFirst = true;
      at++;
    } else problem = readScalar(code);
    if (problem !== null) return problem;
  }
}

function isEnd(code: number): boolean {
  return isBlank(code) || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE;
}

/** The members of an object as a record. What is inside objects, and arrays of them, is left out. */
export function recordOf({ members }: JsonObject): Record<string, unknown> {
  const fields = [...members].map(([name, { values, isArray, isEmpty }]) => {
    const list = values?.map(({ value }) => value) ?? (isEmpty ? [] : [null]);
    return [name, isArray || values === null ? list : list[0]] as const;
  });
  return Object.fromEntries(fields);
}
