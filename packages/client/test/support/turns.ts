import { createHash } from "node:crypto";
import { vi } from "vitest";

/**
 * Decides the order of the events around the code under test: the storage has written, an answer arrives, a hash is
 * computed, a timer runs. One event happens at a time, and `random` chooses the next one, so the same numbers always
 * give the same order, however busy the machine is. Code between two events runs to its end.
 */
export interface Turns {
  /** Calls a function when its turn has come. The function must not wait for a turn itself. */
  take<Result>(run: () => Result | Promise<Result>): Promise<Result>;
  /** The probability that a timer, such as a timeout, runs although another event could happen. */
  lateness: number;
  /** Lets events happen until the work has ended. Throws when no event is left. */
  until<Result>(work: Promise<Result>): Promise<Result>;
  /** Lets at most `count` events happen. */
  some(count: number): Promise<void>;
  /** Discards the events that have not happened yet, as when a program is killed. */
  forget(): void;
  /** Restores `setTimeout` and `crypto`. */
  end(): void;
}

/** Until `end`, `setTimeout` and `crypto.subtle` wait for their turn, too. */
export function startTurns(random: () => number): Turns {
  let waiting: (() => Promise<void>)[] = [];
  let clock = 0;
  const pending = new Map<object, { readonly at: number; readonly callback: () => void }>();

  function startTimer(callback: () => void, milliseconds = 0): () => void {
    const id = {};
    pending.set(id, { at: clock + milliseconds, callback });
    return () => pending.delete(id);
  }

  const take: Turns["take"] = (run) =>
    new Promise((resolve, reject) => {
      waiting.push(async () => {
        try {
          resolve(await run());
        } catch (error) {
          reject(error);
        }
      });
    });

  function runNextTimer(): void {
    const [next] = [...pending].sort(([, a], [, b]) => a.at - b.at);
    const [id, { at, callback }] = next!;
    pending.delete(id);
    clock = at;
    callback();
  }

  /** Resolves when all code that can run has run. */
  const quiet = () => new Promise((resolve) => setImmediate(resolve));

  /** Lets one event happen; `false` when there is none. */
  async function next(): Promise<boolean> {
    if (pending.size > 0 && (waiting.length === 0 || random() < turns.lateness)) runNextTimer();
    else if (waiting.length === 0) return false;
    else await waiting.splice(Math.floor(random() * waiting.length), 1)[0]!();
    return true;
  }

  const turns: Turns = {
    take,
    lateness: 0,

    async until(work) {
      let hasEnded = false;
      const end = () => {
        hasEnded = true;
      };
      work.then(end, end);
      for (;;) {
        await quiet();
        if (hasEnded) return work;
        if (!(await next())) throw new Error("Nothing can happen any more, but work waits");
      }
    },

    async some(count) {
      for (let i = 0; i < count; i++) {
        await quiet();
        await next();
      }
      await quiet();
    },

    forget() {
      waiting = [];
      pending.clear();
    },

    end() {
      vi.unstubAllGlobals();
    },
  };

  const platformClear = clearTimeout;
  vi.stubGlobal("setTimeout", startTimer);
  vi.stubGlobal("clearTimeout", (id: unknown) => {
    // Any other identifier is that of a platform timer that was started earlier.
    if (typeof id === "function") id();
    else platformClear(id as Parameters<typeof clearTimeout>[0]);
  });
  // Hashing here is faster than on the threads of the platform.
  const digest = (_: string, bytes: Uint8Array) =>
    take(() => new Uint8Array(createHash("sha256").update(bytes).digest()).buffer);
  const subtle = new Proxy(crypto.subtle, {
    get(target, name) {
      const method = Reflect.get(target, name, target) as (...given: unknown[]) => Promise<unknown>;
      return name === "digest"
        ? digest
        : (...given: unknown[]) => take(() => method.apply(target, given));
    },
  });
  vi.stubGlobal("crypto", { subtle, randomUUID: crypto.randomUUID.bind(crypto) });
  return turns;
}
