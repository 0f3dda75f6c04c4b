import { StoreError } from "./error.ts";
import { OBJECTS_FOLDER } from "./keys.ts";

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
