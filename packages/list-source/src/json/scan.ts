import { isNested } from "../formats/parts/record-verdicts.ts";
import { openValues } from "./open-values.ts";
import {
  type Cursor,
  isProblem,
  type JsonProblem,
  readName,
  readScalar,
  skipBlanks,
} from "./tokens.ts";
import type { JsonObject, JsonVisitor } from "./visitor.ts";

/** The maximum depth of nested objects and arrays. */
export const MAX_DEPTH: number = 100;

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Reads one JSON value, or several with nothing but blanks between them, without building a tree. Returns the problem
 * with the text, or `null`. Takes linear time.
 */
export function scanJson<Place>(text: string, visitor: JsonVisitor<Place>): JsonProblem | null {
  const values = openValues(visitor);
  const cursor: Cursor = { text, at: 0 };
  /** What must come next: a value, the name of a member, or the comma or closing bracket after a value. */
  let next = "value" as "value" | "name" | "after";
  /** Whether the array or object has just begun, so that it may also end here. */
  let isFirst = false;
  let hasValue = false;

  function endValue(): void {
    const isInside = values.isInside();
    hasValue ||= !isInside;
    next = isInside ? "after" : "value";
    isFirst = false;
  }

  function close(): void {
    cursor.at++;
    values.close(cursor.at);
    endValue();
  }

  for (;;) {
    skipBlanks(cursor);
    const { at } = cursor;
    if (at >= text.length) {
      return !values.isInside() && hasValue ? null : { kind: "cut", index: text.length };
    }
    const code = text.charCodeAt(at);
    if (next === "after") {
      const isArray = values.isInArray();
      if (code === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) close();
      else if (code !== COMMA) return { kind: "invalid", index: at };
      else {
        next = isArray ? "value" : "name";
        cursor.at++;
      }
    } else if (isFirst && code === (values.isInArray() ? CLOSE_BRACKET : CLOSE_BRACE)) close();
    else if (next === "name") {
      const name = readName(cursor);
      if (isProblem(name)) return name;
      values.startMember(name);
      next = "value";
      isFirst = false;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (values.depth() >= MAX_DEPTH) return { kind: "deep", index: at };
      const isArray = code === OPEN_BRACKET;
      values.open(isArray, at);
      next = isArray ? "value" : "name";
      isFirst = true;
      cursor.at++;
    } else {
      const value = readScalar(cursor, values.isInside());
      if (isProblem(value)) return value;
      values.addScalar(value, at);
      endValue();
    }
  }
}

/** The members of an object as a record. The contents of nested objects and arrays are left out. */
export function recordOf({ members }: JsonObject): Record<string, unknown> {
  const fields = [...members].map(([name, { values, isArray, isEmpty }]) => {
    const list = values?.map(({ value }) => value) ?? (isEmpty ? [] : [null]);
    return [name, isArray || values === null ? list : list[0]] as const;
  });
  return Object.fromEntries(fields);
}

/**
 * The fields of a record that decide whether it is an entry. Verdicts may be objects, which the visitor does not keep.
 */
export function fieldsOf(text: string, object: JsonObject): Readonly<Record<string, unknown>> {
  const fields = recordOf(object);
  const hasObjects = [...object.members].some(
    ([name, { values, isEmpty }]) => values === null && !isEmpty && isNested(name),
  );
  return (hasObjects ? parseRecord(text, object) : null) ?? fields;
}

export function parseRecord(
  text: string,
  { start, end }: JsonObject,
): Record<string, unknown> | null {
  try {
    return JSON.parse(text.slice(start, end)) as Record<string, unknown>;
  } catch {
    return null;
  }
}
