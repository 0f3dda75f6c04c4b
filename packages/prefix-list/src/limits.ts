import { isUint8Array, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { PrefixListError } from "./error.ts";

/**
 * The maximum total length in bytes of the prefixes of a list, or of the removals and additions in a file. All
 * supported platforms allow arrays of this length.
 */
export const MAX_LIST_BYTES: number = 2 ** 31 - 1;

/**
 * The default maximum number of entries in a list or a difference: 33.5 million.
 *
 * Reading or building a list of that many 4-byte prefixes takes about half a gigabyte of memory.
 */
const DEFAULT_MAX_ENTRIES: number = 2 ** 25;

/** The maximum length of the name of a list, in UTF-8. */
const MAX_NAME_BYTES = 0xffff;
/** The last millisecond that a `Date` can represent. */
export const MAX_CREATED: number = 8.64e15;

/** The limit on the number of entries that a call accepts. */
export interface EntryLimit {
  /** The maximum number of entries. The default is 2²⁵ (33 554 432). */
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

/** Throws when `name` is not a string, or cannot be stored in a file. */
export function checkName(name: unknown): void {
  if (typeof name !== "string") throw typeError("name", "a string", name);
  const bytes = new TextEncoder().encode(name);
  if (bytes.length > MAX_NAME_BYTES) {
    throw new RangeError(
      `name must be at most ${MAX_NAME_BYTES} bytes in UTF-8, not ${bytes.length}`,
    );
  }
  // The encoder replaces half of a surrogate pair with U+FFFD, which would change the name.
  if (new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) !== name) {
    throw new RangeError("name must not contain half of a surrogate pair");
  }
}

/** Throws when `created` is not a time that a `Date` can represent, or is before 1970. */
export function checkCreated(created: unknown): void {
  if (typeof created !== "number") throw typeError("created", "a number", created);
  if (!Number.isInteger(created) || created < 0 || created > MAX_CREATED) {
    throw new RangeError(
      `created must be a whole number of milliseconds from 0 to ${MAX_CREATED}, not ${created}`,
    );
  }
}

/** Returns a copy of the options without inherited properties, such as those of `Object.prototype`. */
export function ownOptions<T extends object>(options: T): T {
  return { __proto__: null, ...options };
}

/** Whether a value is an object with these own properties. */
export function hasOwn<Name extends string>(
  value: unknown,
  ...names: Name[]
): value is Record<Name, unknown> {
  return (
    typeof value === "object" && value !== null && names.every((name) => Object.hasOwn(value, name))
  );
}

/** Whether a value is a `Uint8Array`, even if its buffer was transferred. */
export function isByteArray(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

export function isUint32Array(value: unknown): value is Uint32Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint32Array";
}

/** Throws unless `value` is a `Uint8Array` whose buffer has not been transferred. */
export function checkBytes(argument: string, value: unknown): asserts value is Uint8Array {
  if (isUint8Array(value)) return;
  if (!isByteArray(value)) throw typeError(argument, "a Uint8Array", value);
  throw new TypeError(`${argument} must not be a Uint8Array whose buffer was transferred`);
}

/** Throws unless `prefixBytes` is a valid length of a hash prefix. */
export function checkPrefixBytes(argument: string, prefixBytes: unknown): void {
  if (typeof prefixBytes !== "number") throw typeError(argument, "a number", prefixBytes);
  if (
    !Number.isInteger(prefixBytes) ||
    prefixBytes < MIN_PREFIX_BYTES ||
    prefixBytes > MAX_PREFIX_BYTES
  ) {
    const range = `from ${MIN_PREFIX_BYTES} to ${MAX_PREFIX_BYTES}`;
    throw new RangeError(`${argument} must be a whole number ${range}, not ${prefixBytes}`);
  }
}

/** Whether a value is a SHA-256 hash in lower-case hex. */
export function isChecksum(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
