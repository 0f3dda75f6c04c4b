import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";

/** How large a message may be. */
export interface MessageLimits {
  /** The maximum length of the message in bytes; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /**
   * The maximum number of values in the message: of fields, unknown ones too, and of elements of repeated fields. In JSON,
   * they are counted before the text is parsed, and in a query, the parameters count. Any number by default.
   */
  readonly maxValues?: number | undefined;
}

const MAX_BYTES = 64 * 2 ** 20;

/** How many more values a message may have. */
export interface ValueBudget {
  /** Fields and elements, whether they take memory or only time. */
  values: number;
}

export function takeValue(budget: ValueBudget, count = 1): void {
  budget.values -= count;
  if (budget.values < 0) throw new WireError("too-many-values");
}

function checkLimit(name: string, limit: number): number {
  if (typeof limit !== "number") throw typeError(name, "a number", limit);
  if (!(limit >= 0)) throw new RangeError(`${name} must be a number from 0, not ${limit}`);
  return limit;
}

export function maxValuesOf({ maxValues = Infinity }: MessageLimits): number {
  return checkLimit("maxValues", maxValues);
}

/** Throws when a message is longer than the caller allows; `length` is in bytes, or in characters of ASCII. */
export function checkLength(length: number, { maxBytes = MAX_BYTES }: MessageLimits): void {
  if (length > checkLimit("maxBytes", maxBytes)) throw new WireError("message-too-large");
}

/** Throws when a text has more values than the caller allows; `hasMore` counts them up to a number. */
export function checkValues(
  text: string,
  limits: MessageLimits,
  hasMore: (text: string, most: number) => boolean,
): void {
  const most = maxValuesOf(limits);
  if (text.length > most && hasMore(text, most)) throw new WireError("too-many-values");
}
