import { fullHash, toHex } from "@x/sha256-prefix";
import { StoreError } from "./error.ts";

/** A key or folder in a listing. */
export interface StorageEntry {
  /** The name within the listed folder; the name of a folder ends in `/`. */
  readonly name: string;
  /** The time when the key was last written, in milliseconds since 1970; `null` for a folder. */
  readonly modified: number | null;
}

/**
 * A storage of bytes by key, with five operations that file systems, object storages and databases all have.
 *
 * Keys are names joined by `/`; see {@link checkKey}. Only {@link Storage.create} decides races between writers. Every
 * storage is tested with the cases in `checks/support/storage-cases.js`.
 */
export interface Storage {
  /**
   * The bytes at a key; `null` when the key does not exist. The caller may change the bytes.
   *
   * @throws {StoreError} `damaged` when there are more than `most` bytes. The rest is not read.
   */
  get(key: string, most?: number): Promise<Uint8Array | null>;
  /**
   * Writes a key that does not exist yet. `true` means that the bytes have been stored durably; `false` means that the
   * key exists. If the call rejects, the bytes may or may not have been written.
   *
   * A storage on a network may repeat a request whose answer was lost. So `false` may also mean that this call has
   * written the key. If that matters, compare the bytes.
   */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Writes a key whether or not it exists. This operation writes hints, and renews the times of objects. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The keys and folders directly in a folder (`""`, or a path that ends in `/`), sorted by name.
   *
   * @throws {StoreError} `unsupported` when the storage has no listings.
   */
  list(folder: string): Promise<StorageEntry[]>;
  /** Deletes a key; it need not exist. */
  delete(key: string): Promise<void>;
}

const KEY = /^(?:[a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9._-]*$/;
const FOLDER = /^(?:[a-z0-9][a-z0-9._-]*\/)*$/;

/** Whether a storage can have this key. */
export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** Whether a storage can list this folder. */
export function isFolder(folder: string): boolean {
  return FOLDER.test(folder);
}

/**
 * Throws a `RangeError` unless `key` consists of names joined by `/`. A name has lower-case letters, digits, dots,
 * hyphens and underscores, and begins with a letter or a digit.
 */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`${JSON.stringify(key)} is not a storage key`);
}

/** Throws a `RangeError` unless `folder` is `""` or a path of names that ends in `/`. */
export function checkFolder(folder: string): void {
  if (!isFolder(folder)) throw new RangeError(`${JSON.stringify(folder)} is not a folder`);
}

/**
 * Maximum lengths in bytes. An object may hold the entries of a whole list. Other files, such as manifests and hints,
 * are short.
 */
const MAX_OBJECT_BYTES = 2 ** 30;
const MAX_OTHER_BYTES = 2 ** 20;

/** The maximum number of bytes to read from a file if the caller allows `most`. */
export function longestFile(key: string, most: number = Infinity): number {
  return Math.min(most, key.startsWith(OBJECTS_FOLDER) ? MAX_OBJECT_BYTES : MAX_OTHER_BYTES);
}

/** Wraps a storage for the duration of one call, so that no file is read twice. Callers must not change the bytes. */
export function remembering(storage: Storage): Storage {
  const known = new Map<string, Uint8Array>();
  return {
    ...storage,
    async get(key, most) {
      const bytes = known.get(key) ?? (await storage.get(key, most));
      if (bytes !== null) known.set(key, bytes);
      return bytes;
    },
  };
}

/** A storage in memory, for tests and for lists that a program builds when it starts. */
export function memoryStorage(now: () => number = Date.now): Storage {
  const files = new Map<string, { bytes: Uint8Array; modified: number }>();
  const write = (key: string, bytes: Uint8Array) => {
    files.set(key, { bytes: bytes.slice(), modified: now() });
  };
  return {
    async get(key, most = Infinity) {
      checkKey(key);
      const bytes = files.get(key)?.bytes ?? null;
      if (bytes !== null && bytes.length > most) {
        throw new StoreError("damaged", `The file ${key} of the store is far too long`);
      }
      return bytes?.slice() ?? null;
    },
    async create(key, bytes) {
      checkKey(key);
      if (files.has(key)) return false;
      write(key, bytes);
      return true;
    },
    async put(key, bytes) {
      checkKey(key);
      write(key, bytes);
    },
    async list(folder) {
      checkFolder(folder);
      const entries = new Map<string, StorageEntry>();
      for (const [key, { modified }] of files) {
        if (!key.startsWith(folder)) continue;
        const [name, ...below] = key.slice(folder.length).split("/");
        if (below.length === 0) entries.set(name!, { name: name!, modified });
        else entries.set(`${name}/`, { name: `${name}/`, modified: null });
      }
      return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async delete(key) {
      checkKey(key);
      files.delete(key);
    },
  };
}

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

/** Up to this many bytes are hashed on this thread, because passing them to another thread would take longer. */
const SHORT_BYTES = 4096;

/**
 * The SHA-256 of bytes in lower-case hex, which is the name of an object with these bytes. Web Crypto computes the hash
 * of more than {@link SHORT_BYTES}, in another thread where possible.
 */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SHORT_BYTES) return toHex(fullHash(bytes));
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return toHex(new Uint8Array(digest));
}

/** The bytes of an object that is at most `most` bytes long, checked against its hash. */
export async function getObject(
  storage: Storage,
  hash: string,
  most?: number,
): Promise<Uint8Array> {
  const bytes = await storage.get(objectKey(hash), most);
  if (bytes === null) throw new StoreError("missing", `The object ${hash} is missing`);
  if ((await hashOf(bytes)) === hash) return bytes;
  throw new StoreError("damaged", `The object ${hash} is damaged: its bytes have another hash`);
}

/** Whether a value is the hash of an object, in lower-case hex. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Computes the SHA-256 of bytes synchronously. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;
