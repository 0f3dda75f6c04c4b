import { StoreError } from "./error.ts";

/*
 * The layout of a store:
 *
 *   objects/sha256/ab/<hex>          immutable: blocks and full hashes
 *   lists/<name>/v/<000000000042>    a signed manifest, created and never replaced: the commit log
 *   lists/<name>/head                a hint: the number of the newest version, or of one before it
 *   lists/<name>/history/<…1024>     notes of garbage collection: the blocks up to a version that stay for good
 *   tmp/…                            marks of publishers at work, and leftovers of killed ones
 */

/** The folder of publishers' marks and of unfinished files, which killed publishers leave behind. */
export const UNFINISHED_FOLDER = "tmp/";
export const LISTS_FOLDER = "lists/";
export const OBJECTS_FOLDER = "objects/sha256/";

const LIST_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const VERSION_DIGITS = 12;
/** The highest version that a key can name. */
export const MAX_VERSION: number = 10 ** VERSION_DIGITS - 1;
const VERSION = /^\d{12}$/;

export function isListName(name: string): boolean {
  return LIST_NAME.test(name);
}

/**
 * Throws a `StoreError` (`invalid`) unless `name` has 1 to 63 lower-case letters, digits and hyphens, and does not
 * begin with a hyphen.
 */
export function checkListName(name: string): void {
  if (isListName(name)) return;
  throw new StoreError(
    "invalid",
    `${JSON.stringify(name)} cannot name a list: use up to 63 lower-case letters, digits and hyphens`,
  );
}

export function objectKey(hash: string): string {
  return `${OBJECTS_FOLDER}${hash.slice(0, 2)}/${hash}`;
}

export function versionsFolder(list: string): string {
  return `${LISTS_FOLDER}${list}/v/`;
}

export function versionKey(list: string, version: number): string {
  return versionsFolder(list) + String(version).padStart(VERSION_DIGITS, "0");
}

export function historyKey(list: string, version: number): string {
  return `${LISTS_FOLDER}${list}/history/${String(version).padStart(VERSION_DIGITS, "0")}`;
}

/** The version number in a file name from {@link versionsFolder}; `null` for other names. */
export function parseVersion(name: string): number | null {
  return VERSION.test(name) ? Number(name) : null;
}

export function headKey(list: string): string {
  return `${LISTS_FOLDER}${list}/head`;
}

const VERSION_KEY = /^lists\/[^/]+\/v\/\d{12}$/;

/** Whether {@link versionKey} can return this key. */
export function isVersionKey(key: string): boolean {
  return VERSION_KEY.test(key);
}
