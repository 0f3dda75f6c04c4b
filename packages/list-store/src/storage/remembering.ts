import type { Storage } from "./storage.ts";

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
