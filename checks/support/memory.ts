import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Options for Node that make a process write its peak memory, in megabytes, to stderr when it ends. */
export const MEASURE_MEMORY: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    let most = 0;
    const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
    setInterval(look, 10).unref();
    process.on("exit", () => { look(); console.error("memory", most / 1e6); });
  `)}`,
];

/** Reads the number of megabytes that a process with the options in MEASURE_MEMORY wrote. */
export function memoryOf(stderr: string): number {
  return Number(/^memory ([\d.]+)$/m.exec(stderr)?.[1]);
}

/**
 * Options for Node that end a process when one of its threads keeps more strings and objects than this. Garbage does
 * not count, so the result does not depend on the time of its collection. Buffers do not count, either.
 */
export function heapOf(megabytes: number): readonly string[] {
  return [`--max-old-space-size=${megabytes}`, "--max-semi-space-size=1"];
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The number of collections after which an object that is still there counts as held. */
const MAX_COLLECTIONS = 20;

/** Objects that should be collected as soon as nothing else holds them. */
export interface Watched {
  add(object: object): void;
  /**
   * Collects garbage until at most `most` of the added objects are left, and returns how many are left. Objects that
   * something holds are left however often this is called.
   */
  left(most: number): Promise<number>;
}

/** Watches which objects something still holds. */
export function watchMemory(): Watched {
  const added: WeakRef<object>[] = [];
  return {
    add: (object) => added.push(new WeakRef(object)),
    async left(most) {
      let left = added.length;
      for (let i = 0; i < MAX_COLLECTIONS && left > most; i++) {
        // A weak reference holds its object until the end of the turn in which it was made or read.
        await setImmediate();
        collectGarbage();
        left = added.filter((each) => each.deref() !== undefined).length;
      }
      return left;
    },
  };
}
