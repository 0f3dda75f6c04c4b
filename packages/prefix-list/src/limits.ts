import { typeError } from "@x/sha256-prefix/type-error";
import { ownOptions } from "./arguments.ts";
import { PrefixListError } from "./error.ts";

/**
 * The maximum total length in bytes of the prefixes of a list, or of the removals and additions in a file. All
 * supported platforms allow arrays of this length.
 */
export const MAX_LIST_BYTES: number = 2 ** 31 - 1;

/**
 * The maximum number of entries in a list or a difference unless you set `maxEntries`: 2²⁵, 33.5 million.
 *
 * Reading or building a list of that many 4-byte prefixes takes about half a gigabyte of memory.
 */
const DEFAULT_MAX_ENTRIES: number = 2 ** 25;

/** The limit on the number of entries that a call accepts. */
export interface EntryLimit {
  /** The maximum number of entries; 2²⁵ (33 554 432) by default. */
  readonly maxEntries?: number | undefined;
}

/**
 * The limit in the options, or the default of 2²⁵.
 *
 * @throws {TypeError} when `maxEntries` is not a number.
 * @throws {RangeError} when `maxEntries` is negative or not a whole number.
 * @example
 * ```ts
 * import { maxEntriesOf } from "@x/prefix-list/rice";
 *
 * maxEntriesOf({}); // → 33554432
 * maxEntriesOf({ maxEntries: 10 }); // → 10
 * ```
 */
export function maxEntriesOf(options: EntryLimit): number {
  const { maxEntries = DEFAULT_MAX_ENTRIES } = ownOptions(options);
  if (typeof maxEntries !== "number") throw typeError("maxEntries", "a number", maxEntries);
  if (!Number.isInteger(maxEntries) || maxEntries < 0) {
    throw new RangeError(`maxEntries must be a whole number, 0 or more, not ${maxEntries}`);
  }
  return maxEntries;
}

/**
 * Throws when there are more entries than `maxEntries`. Call this function before you allocate memory for the entries.
 */
export function checkEntryCount(count: number, maxEntries: number, index?: number): void {
  if (count <= maxEntries) return;
  const message = `There are ${count} entries, but maxEntries is ${maxEntries}`;
  throw new PrefixListError("too-many-entries", message, index);
}
