import { ownOptions } from "./arguments.ts";
import { PrefixListError } from "./error.ts";
import { typeError } from "./type-error.ts";

/**
 * The bytes that the prefixes of a list, or the removals of a difference, may take. Every platform has memory
 * blocks of this size.
 */
export const MAX_LIST_BYTES: number = 2 ** 31 - 1;

/**
 * How many entries a list or a difference may have unless `maxEntries` says otherwise: 2²⁵, 33.5 million.
 *
 * Reading or building a list of so many 4-byte prefixes takes at most half a gigabyte of memory.
 */
export const DEFAULT_MAX_ENTRIES: number = 2 ** 25;

/** How many entries a call accepts. */
export interface EntryLimit {
  /** The most entries that are accepted; {@link DEFAULT_MAX_ENTRIES} when left out. */
  readonly maxEntries?: number | undefined;
}

/** The limit that the options set. */
export function maxEntriesOf(options: EntryLimit): number {
  const { maxEntries = DEFAULT_MAX_ENTRIES } = ownOptions(options);
  if (typeof maxEntries !== "number") throw typeError("maxEntries", "a number", maxEntries);
  if (!Number.isInteger(maxEntries) || maxEntries < 0) {
    throw new RangeError(`maxEntries must be a whole number from 0, not ${maxEntries}`);
  }
  return maxEntries;
}

/** Throws when there are more entries than the limit; called before memory is taken for them. */
export function checkEntryCount(count: number, maxEntries: number, index?: number): void {
  if (count <= maxEntries) return;
  const message = `There are ${count} entries, and maxEntries is ${maxEntries}`;
  throw new PrefixListError("too-many-entries", message, index);
}
