import { typeError } from "@x/sha256-prefix/type-error";

/**
 * Where a client keeps its lists: bytes by name. Names consist of lower-case letters, digits and `.`, `_`, `-`, begin
 * with a letter or a digit, and have at most 200 characters.
 */
export interface ClientStorage {
  /**
   * The bytes that `put` stored under a name; `null` when there are none. The bytes must not change afterwards, because
   * a list is searched in them.
   */
  get(name: string, signal?: AbortSignal): Promise<Uint8Array | null>;
  /**
   * Replaces the bytes under a name, as a whole or not at all. The caller may overwrite `bytes` once the promise has
   * settled.
   */
  put(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Deletes the bytes under a name, if there are any. */
  delete(name: string, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `onChange` with each name whose bytes are replaced or deleted from now on, even by other processes, within a
   * second of the change. Returns a function that stops the calls. Only clients that follow the storage need this
   * function.
   */
  watch?(onChange: (name: string) => void): () => void;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,199}$/;

/** @throws {TypeError} when `name` is not one that a storage can have. */
export function checkStorageName(name: string): void {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw typeError("name", "a name of a storage, such as v5-mw-4b", name);
  }
}

/**
 * A storage in memory, which lasts as long as the program, so a new client in the same program can start with the lists
 * of an earlier one.
 *
 * @example
 * ```ts
 * import { memoryStorage } from "@x/client";
 *
 * const storage = memoryStorage();
 * await storage.put("greeting", new TextEncoder().encode("hello"));
 * (await storage.get("greeting"))?.length; // → 5
 * ```
 */
export function memoryStorage(): ClientStorage {
  const values = new Map<string, Uint8Array>();
  return {
    async get(name) {
      return values.get(name)?.slice() ?? null;
    },
    async put(name, bytes) {
      values.set(name, bytes.slice());
    },
    async delete(name) {
      values.delete(name);
    },
  };
}
