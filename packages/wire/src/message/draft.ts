import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import {
  type AnyType,
  emptyRecord,
  joinPath,
  type MessageType,
  type NamedField,
  tableOf,
  UNKNOWN,
} from "./message-type.ts";

/** A message of any format while it is being read. */
export interface Draft {
  readonly type: AnyType;
  readonly record: Record<string, unknown>;
  /** The path of this message within the whole message. */
  readonly path: string;
  /** The numbers of repeated-field elements and of values that the whole message may still have. */
  readonly budget: { elements: number; values: number };
  /** Whether an enumeration had a value without a name. */
  sawUnknown: boolean;
}

export function newDraft(type: AnyType, limits: MessageLimits = {}): Draft {
  const budget = { elements: MAX_ELEMENTS, values: maxValuesOf(limits) };
  return { type, record: emptyRecord(type), path: "", budget, sawUnknown: false };
}

/** The draft of a nested message. `record` contains the parts of the nested message that were read before. */
export function innerDraft(outer: Draft, named: NamedField, record?: unknown): Draft {
  if (named.field.repeated) takeElement(outer, named);
  const type = named.field.type!;
  return {
    type,
    record: (record ?? emptyRecord(type)) as Record<string, unknown>,
    path: joinPath(outer.path, named.name),
    budget: outer.budget,
    sawUnknown: false,
  };
}

function takeElement({ budget, path }: Draft, { name }: NamedField): void {
  if (budget.elements-- === 0) throw new WireError("too-many-elements", joinPath(path, name));
}

/** Counts values before they are read, and throws when the message has too many. */
export function takeValues({ budget }: Draft, count = 1): void {
  budget.values -= count;
  if (budget.values < 0) throw new WireError("too-many-values");
}

/** Sets a field to a value that is not a message, or adds the value to a repeated field. */
export function putValue(draft: Draft, named: NamedField, value: unknown): void {
  const { name, field } = named;
  // The numbers in lists of removal indices do not count as elements, because such lists may be longer.
  if (field.repeated && field.kind !== "int32") takeElement(draft, named);
  if (value === UNKNOWN) draft.sawUnknown = true;
  if (!field.repeated) draft.record[name] = value === UNKNOWN ? null : value;
  else if (value !== UNKNOWN) (draft.record[name] as unknown[]).push(value);
}

/** Sets a field to a nested message, or adds the message to a repeated field if it should be kept. */
export function putMessage({ record }: Draft, { name, field }: NamedField, inner: Draft): void {
  if (!field.repeated) record[name] = inner.record;
  else if (isKept(inner)) (record[name] as unknown[]).push(inner.record);
}

/**
 * Whether an element of a repeated field is kept. Elements of some types are dropped when one of their enumerations has
 * no value or an unknown one.
 */
function isKept({ type, record, sawUnknown }: Draft): boolean {
  if (!type.knownOnly) return true;
  const lacksName = tableOf(type).all.some(
    ({ name, field }) => field.kind === "enum" && record[name] === null,
  );
  return !sawUnknown && !lacksName;
}

/** Checks the record of a whole message against the rules of its protocol, and returns the record. */
export function finishDraft<Message>(type: MessageType<Message>, { record }: Draft): Message {
  checkRecord(type, record);
  return record as Message;
}

type Values = Readonly<Record<string, unknown>>;

/** Throws when a record breaks a rule of its protocol. The records nested in it are not checked. */
export function checkRules(type: AnyType, values: Values, path: string): void {
  if (type.oneOf !== undefined) {
    const set = type.oneOf.filter((name) => values[name as string] !== null);
    if (set.length > 1) throw new WireError("fields-conflict", joinPath(path, String(set[1])));
  }
  const problem = type.check?.(values) ?? null;
  if (problem !== null) throw new WireError(problem[0], joinPath(path, problem[1]));
}

/** Throws when a record, or a record nested in it, breaks a rule of its protocol. */
function checkRecord(type: AnyType, values: Values, path: string = ""): void {
  for (const { name, field } of tableOf(type).messages) {
    const value = values[name];
    const at = joinPath(path, name);
    if (field.repeated) {
      for (const each of value as readonly Values[]) checkRecord(field.type!, each, at);
    } else if (value !== null) checkRecord(field.type!, value as Values, at);
  }
  checkRules(type, values, path);
}

/** Limits on the size of a message. */
export interface MessageLimits {
  /** The maximum length of the message in bytes; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /**
   * The maximum number of values in the message: fields, including unknown ones, and elements of repeated fields. In
   * JSON, values are counted as in `hasMoreJsonValues`, before the text is parsed. The default is 2 ** 25, and a higher
   * number has no effect.
   */
  readonly maxValues?: number | undefined;
}

/** The maximum number of elements of repeated fields in a message, without the numbers in lists of removal indices. */
const MAX_ELEMENTS = 100_000;
/** The maximum nesting depth of the groups in unknown fields. */
export const MAX_DEPTH = 100;
const MAX_BYTES = 64 * 2 ** 20;
/**
 * No message needs more values than the longest list has entries. This is also the maximum length for which V8
 * allocates `new Array(length)` as one block of memory; the process ends when an array grows to four times that length.
 */
const MAX_VALUES = 2 ** 25;
/**
 * The maximum number of objects, arrays and strings in JSON. For comparison, an answer with 25 000 v4 matches, which
 * takes 4 MiB, has 330 000 of them.
 */
const MAX_JSON_PARTS = 2 ** 19;

function checkLimit(name: string, limit: number): number {
  if (typeof limit !== "number") throw typeError(name, "a number", limit);
  if (!(limit >= 0)) throw new RangeError(`${name} must be 0 or more, not ${limit}`);
  return limit;
}

/** The maximum number of values in a message. */
function maxValuesOf({ maxValues = MAX_VALUES }: MessageLimits): number {
  return Math.min(checkLimit("maxValues", maxValues), MAX_VALUES);
}

/** Throws when a message is longer than the caller allows; `length` is in bytes, or in characters for text. */
export function checkLength(length: number, { maxBytes = MAX_BYTES }: MessageLimits): void {
  if (length > checkLimit("maxBytes", maxBytes)) throw new WireError("message-too-large");
}

/** Throws when JSON has more values than the caller allows, or so many that parsing it would take too long. */
export function checkJsonValues(json: string, limits: MessageLimits): void {
  const most = maxValuesOf(limits);
  const hasTooMany =
    (json.length > most && hasMoreJsonValues(json, most)) ||
    (json.length > MAX_JSON_PARTS && hasMoreJsonParts(json, MAX_JSON_PARTS));
  if (hasTooMany) throw new WireError("too-many-values");
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** The index of the closing quotation mark of the JSON string that begins at `start`. */
export function endOfText(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json.charCodeAt(i) !== QUOTE) {
    i += json.charCodeAt(i) === BACKSLASH ? 2 : 1;
  }
  return i;
}

/**
 * Returns whether JSON has more than `most` values: objects, arrays, and the values in them. An empty object or array
 * counts twice. Call this function before you parse JSON that you do not trust: the function allocates no memory,
 * whereas `JSON.parse` makes an array for each character of `[[[[…`. For text that is not JSON, the result is
 * meaningless.
 *
 * @example
 * ```ts
 * import { hasMoreJsonValues } from "@x/wire";
 *
 * hasMoreJsonValues('{"urls": ["http://a/?[,]", "http://b/"]}', 3); // → true
 * hasMoreJsonValues('{"urls": ["http://a/?[,]", "http://b/"]}', 4); // → false
 * ```
 */
export function hasMoreJsonValues(json: string, most: number): boolean {
  let count = 1;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfText(json, i);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) count++;
    if (count > most) return true;
  }
  return count > most;
}

/**
 * Whether JSON has more than `most` objects, arrays and strings, including the names of members. `JSON.parse` allocates
 * memory for each of them, whereas numbers in an array take only a few bytes.
 */
function hasMoreJsonParts(json: string, most: number): boolean {
  let count = 0;
  for (let i = 0; i < json.length && count <= most; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfText(json, i);
    if (code === QUOTE || code === OPENING_BRACKET || code === OPENING_BRACE) count++;
  }
  return count > most;
}
