import type { FoundHash, FoundThreat } from "../protocols/protocol.ts";
import {
  type FoundHashes,
  type HashAnswer,
  hashAnswer,
  type PrefixAnswer,
} from "./answer-validity.ts";
import { hashKey, prefixKey } from "./prefix-key.ts";

/**
 * Groups full hashes by their prefixes. A hash that was found several times, such as on two lists, appears once, with
 * all its threats.
 */
export function groupHashes(found: readonly FoundHash[]): ReadonlyMap<number, FoundHashes> {
  const groups = new Map<number, Map<string, FoundHash & { threats: FoundThreat[] }>>();
  for (const { hash, threats, duration } of found) {
    const key = prefixKey(hash);
    const group = groups.get(key) ?? new Map();
    groups.set(key, group);
    const id = hashKey(hash);
    const same = group.get(id) ?? { threats: [], duration };
    // Not `push(...threats)`: a server may send more threats than a call may have arguments.
    for (const threat of threats) same.threats.push(threat);
    group.set(id, { hash, threats: same.threats, duration: Math.min(duration, same.duration) });
  }
  return groups;
}

/** The full hashes in an answer that are listed, if they are still valid at `time`. */
function listedIn(answer: PrefixAnswer, time: number): Uint8Array[] {
  return [...answer.hashes.values()].flatMap(({ hash }) => {
    const { threats, until } = hashAnswer(answer, hash);
    return threats.length > 0 && time < until ? [hash] : [];
  });
}

/** If the clock is set back by no more than this many milliseconds, the answers are kept. */
const SMALLEST_STEP = 1000;

/** Keeps answers to searches for as long as the server says that they are valid. */
export interface HashCache {
  readonly size: number;
  /** The valid answer about a full hash; `null` when the server has to be asked. */
  get(key: number, hash: Uint8Array, time: number): HashAnswer | null;
  /** The last answer about a prefix, which may have expired. */
  last(key: number, time: number): PrefixAnswer | undefined;
  set(key: number, answer: PrefixAnswer): void;
  /** The full hashes that are listed, according to the answers that are valid at `time`. */
  listed(time: number): Uint8Array[];
}

/** The maximum number of prefixes and full hashes, or of URLs, whose answers are kept. New answers replace the oldest. */
export const MAX_CACHED: number = 65_536;

/**
 * Keeps at most `MAX_CACHED` prefixes and full hashes in total.
 *
 * If the clock is set back, the age of the answers is not known, so all of them are forgotten.
 */
export function createHashCache(): HashCache {
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
    entries -= 1 + answer.hashes.size;
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
      const added = 1 + answer.hashes.size;
      if (added > MAX_CACHED) return;
      answers.set(key, answer);
      entries += added;
      for (const oldest of answers.keys()) {
        if (entries <= MAX_CACHED) break;
        drop(oldest);
      }
    },

    listed(time) {
      seeTime(time);
      return [...answers.values()].flatMap((answer) => listedIn(answer, time));
    },
  };
}
