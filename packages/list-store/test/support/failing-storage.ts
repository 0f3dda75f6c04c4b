import type { Storage } from "@x/list-store";

export class Killed extends Error {
  override readonly name = "Killed";
}

/**
 * A storage whose user is killed at the operation with the given number, either before the operation or after it and
 * before its result arrives. All later operations fail, as for a killed process.
 */
export function killedAt(storage: Storage, operation: number, when: "before" | "after"): Storage {
  let count = 0;
  const guard =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const number = count++;
      if (number > operation || (number === operation && when === "before")) throw new Killed();
      const result = await run(...args);
      if (number === operation) throw new Killed();
      return result;
    };
  return {
    get: guard(storage.get),
    create: guard(storage.create),
    put: guard(storage.put),
    list: guard(storage.list),
    delete: guard(storage.delete),
  };
}

/** A storage that lets other tasks run, for a random number of turns, before and after each operation. */
export function slowStorage(storage: Storage, random: () => number): Storage {
  const slow =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const wait = async () => {
        for (let turns = Math.floor(random() * 4); turns > 0; turns--) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await wait();
      const result = await run(...args);
      await wait();
      return result;
    };
  return {
    get: slow(storage.get),
    create: slow(storage.create),
    put: slow(storage.put),
    list: slow(storage.list),
    delete: slow(storage.delete),
  };
}

/** The error of a full disk. */
export function diskFull(path: string): NodeJS.ErrnoException {
  const error = new Error("ENOSPC: no space left on device, write");
  return Object.assign(error, { code: "ENOSPC", syscall: "write", path });
}

/** A storage that is full from the write with the given number on. Empty files can still be written. */
export function fullFrom(storage: Storage, write: number): Storage & { isFull(): boolean } {
  let count = 0;
  const guard =
    <Result>(run: (key: string, bytes: Uint8Array) => Promise<Result>) =>
    async (key: string, bytes: Uint8Array): Promise<Result> => {
      if (bytes.length > 0 && count++ >= write) throw diskFull(key);
      return run(key, bytes);
    };
  return {
    ...storage,
    create: guard(storage.create),
    put: guard(storage.put),
    isFull: () => count > write,
  };
}
