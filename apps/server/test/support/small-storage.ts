import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStorage, type Storage } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { diskFull } from "../../../../packages/list-store/test/support/failing-storage.ts";

/** A storage in memory with room for this many bytes. */
function boundedStorage(most: number): Storage {
  const storage = memoryStorage();
  const sizes = new Map<string, number>();
  function take(key: string, bytes: number): void {
    const used = [...sizes.values()].reduce((sum, each) => sum + each, 0);
    if (bytes > 0 && used + bytes > most) throw diskFull(key);
    sizes.set(key, bytes);
  }
  return {
    ...storage,
    async create(key, bytes) {
      if ((await storage.get(key)) !== null) return false;
      take(key, bytes.length);
      return storage.create(key, bytes);
    },
    async put(key, bytes) {
      take(key, bytes.length);
      await storage.put(key, bytes);
    },
    async delete(key) {
      sizes.delete(key);
      await storage.delete(key);
    },
  };
}

/** Makes a storage on its own small file system, or in memory if nothing can be mounted. */
export function smallStorage(bytes: number): { readonly storage: Storage; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "urlhash-test", folder], {
      stdio: "ignore",
    });
  } catch {
    rmSync(folder, { recursive: true });
    return { storage: boundedStorage(bytes), remove() {} };
  }
  return {
    storage: directoryStorage(join(folder, "lists")),
    remove() {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
