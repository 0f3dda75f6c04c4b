import { expect } from "vitest";
import type { ClientStorage } from "../src/storage.ts";

const bytes = (length: number, first = 0) =>
  Uint8Array.from({ length }, (_, i) => (first + i * 7) & 255);

/** The rules for every storage of a client. Each case gets an empty storage. */
export const CLIENT_STORAGE_CASES: readonly {
  readonly name: string;
  readonly run: (storage: ClientStorage) => Promise<void>;
}[] = [
  {
    name: "gives back what was put last, and null for the rest",
    async run(storage) {
      expect(await storage.get("v5-mw-4b")).toBeNull();
      await storage.put("v5-mw-4b", bytes(100_000));
      await storage.put("v5-se-4b", bytes(0));
      expect(Buffer.compare((await storage.get("v5-mw-4b"))!, bytes(100_000))).toBe(0);
      expect(await storage.get("v5-se-4b")).toHaveLength(0);
      await storage.put("v5-mw-4b", bytes(3, 9));
      expect([...(await storage.get("v5-mw-4b"))!]).toEqual([...bytes(3, 9)]);
      expect(await storage.get("v5-mw-4")).toBeNull();
    },
  },
  {
    name: "stores a view of a larger buffer, and nothing around it",
    async run(storage) {
      const all = bytes(1000);
      await storage.put("a", all.subarray(10, 20));
      all.fill(0);
      const found = (await storage.get("a"))!;
      expect([...found]).toEqual([...bytes(1000).subarray(10, 20)]);
    },
  },
  {
    name: "deletes",
    async run(storage) {
      await storage.delete("a");
      await storage.put("a", bytes(5));
      await storage.put("b", bytes(5));
      await storage.delete("a");
      expect(await storage.get("a")).toBeNull();
      expect(await storage.get("b")).toHaveLength(5);
    },
  },
  {
    name: "refuses names that are no names",
    async run(storage) {
      for (const name of [
        "",
        ".",
        "..",
        "a/b",
        "../a",
        ".a",
        "A",
        "a b",
        "a\\b",
        "a\0",
        "a".repeat(201),
      ]) {
        await expect(storage.get(name)).rejects.toThrow(TypeError);
        await expect(storage.put(name, bytes(1))).rejects.toThrow(TypeError);
        await expect(storage.delete(name)).rejects.toThrow(TypeError);
      }
      await storage.put("a".repeat(200), bytes(1));
      expect(await storage.get("a".repeat(200))).toHaveLength(1);
    },
  },
  {
    name: "puts nothing when the signal is aborted already",
    async run(storage) {
      await storage.put("a", bytes(5));
      await expect(storage.put("a", bytes(6), AbortSignal.abort())).rejects.toThrow();
      expect(await storage.get("a")).toHaveLength(5);
    },
  },
];
