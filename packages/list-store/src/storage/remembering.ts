import type { Storage } from "./storage.ts";

/** The storage for as long as one call takes: what was there is not read again. Nobody may change the bytes. */
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
