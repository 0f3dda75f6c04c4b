import type { FoundHash, FoundThreat } from "../protocols/protocol.ts";
import { areEqual } from "./prefix-key.ts";

/** What the server said about a prefix. */
export interface PrefixAnswer {
  readonly hashes: readonly FoundHash[];
  /** When the answer came. */
  readonly from: number;
  /** How long it holds that nothing else was found, in milliseconds. */
  readonly duration: number;
}

/** What is known about a full hash. */
export interface HashAnswer {
  /** Empty when the hash is not listed. */
  readonly threats: readonly FoundThreat[];
  readonly until: number;
}

/** What an answer says about a full hash. */
export function hashAnswer({ hashes, from, duration }: PrefixAnswer, hash: Uint8Array): HashAnswer {
  const found = hashes.filter((each) => areEqual(each.hash, hash));
  if (found.length === 0) return { threats: [], until: from + duration };
  const shortest = Math.min(...found.map((each) => each.duration));
  return { threats: found.flatMap(({ threats }) => threats), until: from + shortest };
}

/** Answers to searches, for as long as the server says that they hold. */
export interface HashCache {
  readonly size: number;
  /** What is known about a full hash; `null` when the server has to be asked, again or for the first time. */
  get(key: number, hash: Uint8Array, time: number): HashAnswer | null;
  set(key: number, answer: PrefixAnswer): void;
  /** The full hashes that are listed now. */
  listed(time: number): Uint8Array[];
}

/**
 * Keeps at most `maxEntries` prefixes and full hashes together. The oldest answers make room for new ones.
 *
 * When the clock was set back, answers from the future do not hold.
 */
export function createHashCache(maxEntries: number): HashCache {
  const answers = new Map<number, PrefixAnswer>();
  let entries = 0;

  function drop(key: number): void {
    const answer = answers.get(key);
    if (answer === undefined) return;
    entries -= 1 + answer.hashes.length;
    answers.delete(key);
  }

  return {
    get size() {
      return answers.size;
    },

    get(key, hash, time) {
      const answer = answers.get(key);
      if (answer === undefined || time < answer.from) return null;
      const known = hashAnswer(answer, hash);
      return time < known.until ? known : null;
    },

    set(key, answer) {
      drop(key);
      const added = 1 + answer.hashes.length;
      if (added > maxEntries) return;
      answers.set(key, answer);
      entries += added;
      for (const oldest of answers.keys()) {
        if (entries <= maxEntries) break;
        drop(oldest);
      }
    },

    listed(time) {
      return [...answers.values()].flatMap(({ hashes, from }) =>
        hashes
          .filter(
            ({ threats, duration }) => threats.length > 0 && from <= time && time < from + duration,
          )
          .map(({ hash }) => hash),
      );
    },
  };
}
