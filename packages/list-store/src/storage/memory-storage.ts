import { StoreError } from "../error.ts";
import { checkFolder, checkKey, type Storage, type StorageEntry } from "./storage.ts";

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
