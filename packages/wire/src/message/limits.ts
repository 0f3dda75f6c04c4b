import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";

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
export const MAX_ELEMENTS = 100_000;
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
export function maxValuesOf({ maxValues = MAX_VALUES }: MessageLimits): number {
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
