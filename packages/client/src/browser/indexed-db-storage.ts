import { type ClientStorage, checkStorageName } from "../storage.ts";

const VALUES = "values";

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when everything in a transaction is stored. */
function completion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // A browser may abort a transaction without giving an error.
    transaction.onabort = () =>
      reject(transaction.error ?? new DOMException("The transaction was aborted.", "AbortError"));
  });
}

/** Options of {@link indexedDbStorage}. */
export interface IndexedDbOptions {
  /** The name of the database. The default is `"url-lists"`. */
  readonly name?: string | undefined;
  /** The `indexedDB` to use; the default is the global one. */
  readonly indexedDB?: IDBFactory | undefined;
}

/**
 * A storage in an IndexedDB database, for pages, workers and the service workers of extensions.
 *
 * If the database fails, the functions reject with its `DOMException`, such as `QuotaExceededError`.
 *
 * @example
 * ```ts
 * import { createClient } from "@x/client";
 * import { indexedDbStorage } from "@x/client/browser";
 *
 * const storage = indexedDbStorage();
 * const client = createClient({ protocol: "v5", server: "https://lists.example", lists: ["mw-4b"], storage });
 * ```
 */
export function indexedDbStorage(options: IndexedDbOptions = {}): ClientStorage {
  const { name = "url-lists", indexedDB = globalThis.indexedDB } = options;
  let opened: Promise<IDBDatabase> | null = null;

  function open(): Promise<IDBDatabase> {
    if (opened !== null) return opened;
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(VALUES);
    const opening = resultOf(request).then((database) => {
      // If another tab deletes the database, or the browser closes it, the next call opens it again.
      database.onversionchange = () => {
        database.close();
        opened = null;
      };
      database.onclose = () => {
        opened = null;
      };
      return database;
    });
    opened = opening;
    opening.catch(() => {
      opened = null;
    });
    return opening;
  }

  async function change(
    signal: AbortSignal | undefined,
    make: (values: IDBObjectStore) => void,
  ): Promise<void> {
    const database = await open();
    signal?.throwIfAborted();
    const transaction = database.transaction(VALUES, "readwrite");
    make(transaction.objectStore(VALUES));
    await completion(transaction);
  }

  return {
    async get(key, signal) {
      checkStorageName(key);
      const database = await open();
      signal?.throwIfAborted();
      const values = database.transaction(VALUES, "readonly").objectStore(VALUES);
      const found: unknown = await resultOf(values.get(key));
      return found instanceof Uint8Array ? found : null;
    },
    async put(key, bytes, signal) {
      checkStorageName(key);
      await change(signal, (values) => values.put(bytes, key));
    },
    async delete(key, signal) {
      checkStorageName(key);
      await change(signal, (values) => values.delete(key));
    },
  };
}
