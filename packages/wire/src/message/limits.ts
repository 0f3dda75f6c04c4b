import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import { hasMoreJsonValues } from "./json-values.ts";

/** Limits on the size of a message. */
export interface MessageLimits {
  /** The maximum length of the message in bytes; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /**
   * The maximum number of values in the message: fields, including unknown ones, and elements of repeated fields. In
   * JSON, values are counted as in `hasMoreJsonValues`, before the text is parsed. There is no limit by default.
   */
  readonly maxValues?: number | undefined;
}

const MAX_BYTES = 64 * 2 ** 20;

function checkLimit(name: string, limit: number): number {
  if (typeof limit !== "number") throw typeError(name, "a number", limit);
  if (!(limit >= 0)) throw new RangeError(`${name} must be 0 or more, not ${limit}`);
  return limit;
}

/** The maximum number of values in a message. */
export function maxValuesOf({ maxValues = Infinity }: MessageLimits): number {
  return checkLimit("maxValues", maxValues);
}

/** Throws when a message is longer than the caller allows; `length` is in bytes, or in characters for text. */
export function checkLength(length: number, { maxBytes = MAX_BYTES }: MessageLimits): void {
  if (length > checkLimit("maxBytes", maxBytes)) throw new WireError("message-too-large");
}

/** Throws when JSON has more values than the caller allows. */
export function checkJsonValues(json: string, limits: MessageLimits): void {
  const most = maxValuesOf(limits);
  if (json.length > most && hasMoreJsonValues(json, most)) throw new WireError("too-many-values");
}
