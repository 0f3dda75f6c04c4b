import type { FoundHash, FoundThreat } from "../protocols/protocol.ts";
import { areEqual } from "./prefix-key.ts";

/** What the server said about a prefix. */
export interface PrefixAnswer {
  readonly hashes: readonly FoundHash[];
  /** When the server was asked, in milliseconds since 1970. */
  readonly from: number;
  /** How long the answer is valid for hashes that it does not contain, in milliseconds. */
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
  const own = found.length === 0 ? [duration] : found.map((each) => each.duration);
  const shortest = Math.min(...own, LONGEST_DURATION);
  return { threats: found.flatMap(({ threats }) => threats), until: from + shortest };
}

/** The time until which an answer is valid for every full hash with its prefix, in milliseconds since 1970. */
export function wholeUntil({ hashes, from, duration }: PrefixAnswer): number {
  return from + Math.min(duration, ...hashes.map((each) => each.duration), LONGEST_DURATION);
}

/** The maximum time for which an answer is valid, in milliseconds, whatever the server says. */
const LONGEST_DURATION = 24 * 3_600_000;
/** If the clock is set back by no more than this many milliseconds, the answers are kept. */
const SMALLEST_STEP = 1000;

/** Keeps answers to searches for as long as the server says that they are valid. */
export interface HashCache {
  readonly size: number;
  /** What is known about a full hash; `null` when the server has to be asked. */
  get(key: number, hash: Uint8Array, time: number): HashAnswer | null;
  /** The last answer about a prefix, which may have expired. */
  last(key: number, time: number): PrefixAnswer | undefined;
  set(key: number, answer: PrefixAnswer): void;
  /** The full hashes that are listed, according to the answers that are valid at `time`. */
  listed(time: number): Uint8Array[];
}

/**
 * Keeps at most `maxEntries` prefixes and full hashes in total. New answers replace the oldest ones.
 *
 * If the clock is set back, nobody knows how old the answers are, so all of them are forgotten.
 */
export function createHashCache(maxEntries: number): HashCache {
  const answers = new Map<number, PrefixAnswer>();
  let entries = 0;
  let latest = -Infinity;

  function seeTime(time: number): void {
    if (time < latest - SMALLEST_STEP) {
      answers.clear();
      entries = 0;
      latest = time;
    }
    latest = Math.max(latest, time);
  }

  function drop(key: number): void {
    const answer = answers.get(key);
    if (answer === undefined) return;
    entries -= 1 + answer.hashes.length;
    answers.delete(key);
  }

  function last(key: number, time: number): PrefixAnswer | undefined {
    seeTime(time);
    return answers.get(key);
  }

  return {
    get size() {
      return answers.size;
    },

    get(key, hash, time) {
      const answer = last(key, time);
      if (answer === undefined) return null;
      const known = hashAnswer(answer, hash);
      return time < known.until ? known : null;
    },

    last,

    set(key, answer) {
      seeTime(answer.from);
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
      seeTime(time);
      return [...answers.values()].flatMap((answer) =>
        answer.hashes
          .map(({ hash }) => hash)
          .filter((hash) => {
            const { threats, until } = hashAnswer(answer, hash);
            return threats.length > 0 && time < until;
          }),
      );
    },
  };
}
