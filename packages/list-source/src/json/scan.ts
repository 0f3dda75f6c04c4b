/** A value that contains no other values. */
export type JsonScalar = string | number | boolean | null;

/** A scalar, and the index in the text where it starts. */
export interface JsonValue {
  readonly value: JsonScalar;
  readonly start: number;
}

/** A member of an object: its value, or the values of an array. `null` when there are objects or arrays inside. */
export interface JsonMember {
  readonly values: readonly JsonValue[] | null;
  readonly isArray: boolean;
  /** Whether it is an object or array without anything inside. */
  readonly isEmpty: boolean;
}

/** The members of an object that were kept. */
export interface JsonObject {
  readonly members: ReadonlyMap<string, JsonMember>;
  /** The kept members that the object has several times. */
  readonly repeated: ReadonlySet<string>;
  readonly start: number;
  /** The index after the object. */
  readonly end: number;
}

/** Receives the values of a text, in order. A place is whatever the visitor uses to know where a value is. */
export interface JsonVisitor<Place> {
  readonly root: Place;
  /** The place of a member of an object. */
  member(object: Place, name: string): Place;
  /** The place of the elements of an array, which starts at an index. */
  element(array: Place, start: number): Place;
  /** Whether {@link object} needs a member. Members that are not kept take no memory. */
  keeps(object: Place, name: string): boolean;
  /** Called for each value that contains no others. */
  scalar(place: Place, value: JsonValue): void;
  /** Called at the end of each object. */
  object(place: Place, object: JsonObject): void;
}

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

/** An object or array that is still open. */
interface Frame<Place> {
  readonly isArray: boolean;
  readonly place: Place;
  readonly start: number;
  /** The place of the elements, or of the current member. */
  inner: Place;
  /** The name of the current member, if it is kept. */
  kept: string | null;
  members: Map<string, JsonMember> | null;
  repeated: Set<string> | null;
  isEmpty: boolean;
  /** In an array that is a kept member: its elements, until one of them is an object or an array. */
  values: JsonValue[] | null;
}

const NOTHING_KEPT: ReadonlyMap<string, JsonMember> = new Map();
const NOTHING_REPEATED: ReadonlySet<string> = new Set();

const isBlank = (code: number): boolean =>
  code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * Reads one JSON value, or several with nothing but blanks between them, without building a tree. Returns what is wrong
 * with the text, or `null`.
 *
 * Takes linear time. Strings that no visitor asks for are not checked for escapes that JSON does not have.
 */
export function scanJson<Place>(text: string, visitor: JsonVisitor<Place>): JsonProblem | null {
  const stack: Frame<Place>[] = [];
  let top: Frame<Place> | undefined;
  /** What comes next: a value, a name, or what follows a value. */
  let next = "value" as "value" | "name" | "after";
  /** Whether the array or object has just begun, so that it may also end here. */
  let isFirst = false;
  let hasValue = false;
  let at = 0;

  /** The index of the closing quotation mark; -1 when there is none, or the string has a line end. */
  function endOfString(start: number): number {
    for (let i = start + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) return i;
      if (code === BACKSLASH) i++;
      else if (code < SPACE) return -1;
    }
    return -1;
  }

  /** The text of the string between two quotation marks; null when it has an unknown escape. */
  function stringAt(start: number, end: number): string | null {
    const inner = text.slice(start + 1, end);
    if (!inner.includes("\\")) return inner;
    try {
      return JSON.parse(text.slice(start, end + 1)) as string;
    } catch {
      return null;
    }
  }

  function open(isArray: boolean): void {
    const place = top === undefined ? visitor.root : top.inner;
    const isKept = top?.kept != null;
    const inner = isArray ? visitor.element(place, at) : place;
    // What an array contains is kept only if the array itself is a member.
    if (top?.values != null) top.values = null;
    if (top !== undefined) top.isEmpty = false;
    top = {
      isArray,
      place,
      start: at,
      inner,
      kept: null,
      members: null,
      repeated: null,
      isEmpty: true,
      values: isArray && isKept ? [] : null,
    };
    stack.push(top);
    next = isArray ? "value" : "name";
    isFirst = true;
    at++;
  }

  function keep(member: JsonMember): void {
    const name = top!.kept!;
    top!.members ??= new Map();
    if (top!.members.has(name)) {
      top!.repeated ??= new Set();
      top!.repeated.add(name);
    }
    top!.members.set(name, member);
    top!.kept = null;
  }

  function close(): void {
    const { isArray, place, start, members, repeated, values, isEmpty } = stack.pop()!;
    at++;
    if (!isArray) {
      visitor.object(place, {
        members: members ?? NOTHING_KEPT,
        repeated: repeated ?? NOTHING_REPEATED,
        start,
        end: at,
      });
    }
    top = stack.at(-1);
    if (top?.kept != null) keep({ values, isArray, isEmpty });
    endValue();
  }

  function scalar(value: JsonScalar, start: number): void {
    const found = { value, start };
    visitor.scalar(top === undefined ? visitor.root : top.inner, found);
    if (top !== undefined) top.isEmpty = false;
    if (top?.kept != null) keep({ values: [found], isArray: false, isEmpty: false });
    else top?.values?.push(found);
    endValue();
  }

  function endValue(): void {
    hasValue ||= top === undefined;
    next = top === undefined ? "value" : "after";
    isFirst = false;
  }

  const invalid = (): JsonProblem => ({ kind: "invalid", index: at });

  for (;;) {
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) {
      return top === undefined && hasValue ? null : { kind: "cut", index: text.length };
    }
    const code = text.charCodeAt(at);
    if (next === "after") {
      if (code === COMMA) {
        next = top!.isArray ? "value" : "name";
        at++;
      } else if (code === (top!.isArray ? CLOSE_BRACKET : CLOSE_BRACE)) close();
      else return invalid();
    } else if (next === "name") {
      if (code === CLOSE_BRACE && isFirst) {
        close();
        continue;
      }
      const end = code === QUOTE ? endOfString(at) : -1;
      if (code === QUOTE && end < 0) return unclosed();
      const name = end < 0 ? null : stringAt(at, end);
      if (name === null) return invalid();
      at = end + 1;
      while (isBlank(text.charCodeAt(at))) at++;
      if (at >= text.length) return { kind: "cut", index: at };
      if (text.charCodeAt(at) !== COLON) return invalid();
      at++;
      top!.inner = visitor.member(top!.place, name);
      top!.kept = visitor.keeps(top!.place, name) ? name : null;
      next = "value";
      isFirst = false;
    } else if (code === CLOSE_BRACKET && isFirst && top?.isArray) close();
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (stack.length >= MAX_DEPTH) return { kind: "deep", index: at };
      open(code === OPEN_BRACKET);
    } else if (code === QUOTE) {
      const end = endOfString(at);
      if (end < 0) return unclosed();
      const value = stringAt(at, end);
      if (value === null) return invalid();
      const start = at;
      at = end + 1;
      scalar(value, start);
    } else {
      const start = at;
      while (at < text.length && !isEnd(text.charCodeAt(at))) at++;
      const word = text.slice(start, Math.min(at, start + MAX_WORD_LENGTH + 1));
      if (at === text.length && top !== undefined) return { kind: "cut", index: at };
      if (word.length > MAX_WORD_LENGTH || !WORD.test(word))
        return { kind: "invalid", index: start };
      scalar(JSON.parse(word) as JsonScalar, start);
    }
  }

  /** A string without an end was cut short with the text, unless it has a line end. */
  function unclosed(): JsonProblem {
    const rest = text.indexOf("\n", at);
    return rest < 0 ? { kind: "cut", index: text.length } : invalid();
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
