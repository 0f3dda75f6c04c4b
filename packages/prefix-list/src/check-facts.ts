import { typeError } from "./type-error.ts";

const MAX_NAME_BYTES = 0xffff;
/** The last millisecond that a `Date` can stand for. */
export const MAX_CREATED: number = 8.64e15;

/**
 * The octets that the prefixes of a list, or the removals of a difference, may take: 536 million prefixes of
 * four octets. Every platform has memory blocks of this size, so that no file can ask for more.
 */
export const MAX_LIST_BYTES: number = 2 ** 31 - 1;

/** Throws when `name` is no text, or none that a file can hold. */
export function checkName(name: string): void {
  if (typeof name !== "string") throw typeError("name", "a string", name);
  const octets = new TextEncoder().encode(name);
  if (octets.length > MAX_NAME_BYTES) {
    throw new RangeError(
      `name must be at most ${MAX_NAME_BYTES} octets of UTF-8, not ${octets.length}`,
    );
  }
  // The encoder writes U+FFFD for half of a surrogate pair, and so another name.
  if (new TextDecoder("utf-8", { ignoreBOM: true }).decode(octets) !== name) {
    throw new RangeError("name must not hold half of a surrogate pair");
  }
}

/** Throws when `created` is no time that a `Date` can stand for, or before 1970. */
export function checkCreated(created: number): void {
  if (typeof created !== "number") throw typeError("created", "a number", created);
  if (!Number.isInteger(created) || created < 0 || created > MAX_CREATED) {
    throw new RangeError(
      `created must be a whole number of milliseconds from 0 to ${MAX_CREATED}, not ${created}`,
    );
  }
}
