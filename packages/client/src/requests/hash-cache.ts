import type { FoundHash, FoundThreat } from "../protocols/protocol.ts";

/** The first four bytes of a hash or prefix, as a number. Searches send these four bytes and no more. */
export function prefixKey(bytes: Uint8Array): number {
  return ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
}

/** The four bytes of a number that {@link prefixKey} returned. */
export function prefixOf(key: number): Uint8Array {
  return Uint8Array.of(key >>> 24, key >>> 16, key >>> 8, key);
}

/** The bytes of a full hash, as a key of a map. */
export function hashKey(hash: Uint8Array): string {
  return String.fromCharCode(...hash);
}

/** The maximum time for which an answer is valid, in milliseconds, whatever the server says. */
export const LONGEST_DURATION: number = 24 * 3_600_000;

/**
 * How long full hashes from a store are valid, in milliseconds. Caches keep a store's hint of its newest version for
 * about as long.
 */
export const STORE_DURATION: number = 5 * 60_000;

/** Distinct full hashes, keyed by {@link hashKey}. */
export type FoundHashes = ReadonlyMap<string, FoundHash>;

/** The server's answer about a prefix. */
export interface PrefixAnswer {
  readonly hashes: FoundHashes;
  /** When the server was asked, in milliseconds since 1970. */
  readonly from: number;
  /** How long the answer is valid for hashes that it does not contain, in milliseconds. */
  readonly duration: number;
}

/** The answer about one full hash. */
export interface HashAnswer {
  /** Empty when the hash is not listed. */
  readonly threats: readonly FoundThreat[];
  readonly until: number;
}

/** The part of an answer that is about one full hash. */
export function hashAnswer({ hashes, from, duration }: PrefixAnswer, hash: Uint8Array): HashAnswer {
  const found = hashes.get(hashKey(hash));
  const own = Math.min(found?.duration ?? duration, LONGEST_DURATION);
  return { threats: found?.threats ?? [], until: from + own };
}

/** The time until which an answer is valid for every full hash with its prefix, in milliseconds since 1970. */
export function wholeUntil({ hashes, from, duration }: PrefixAnswer): number {
  let shortest = Math.min(duration, LONGEST_DURATION);
  for (const found of hashes.values()) shortest = Math.min(shortest, found.duration);
  return from + shortest;
}

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
