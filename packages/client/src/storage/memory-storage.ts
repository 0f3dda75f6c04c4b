import type { ClientStorage } from "./storage.ts";

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
