import {
  FULL_HASH_BYTES,
  isUint8Array,
  MAX_PREFIX_BYTES,
  MIN_PREFIX_BYTES,
} from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { ClientError, listMissing } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import {
  type FoundHash,
  type FoundThreat,
  type KeptList,
  type SearchAnswer,
  validityMissing,
} from "../protocols/protocol.ts";
import { type Answered, type Asker, createAsker, partsOf, type SearchPause } from "./asker.ts";
import type { RequestCounts } from "./requester.ts";

/** The server's answer about each prefix, or the reason why there is none. */
export type Answers = Answered<number, PrefixAnswer>;

export const NO_ANSWERS: Answers = new Map();

/** Asks the server for full hashes. */
export type Searcher = Asker<number, PrefixAnswer>;

interface SearcherOptions extends Pick<CheckedOptions, "now"> {
  readonly search: (prefixes: readonly Uint8Array[], signal: AbortSignal) => Promise<SearchAnswer>;
  readonly counts: RequestCounts;
  /** The maximum number of prefixes in one search. */
  readonly maxPrefixes: number;
  readonly cache: HashCache;
  readonly pause: SearchPause;
}

/** Makes a searcher that caches its answers. */
export function createSearcher(options: SearcherOptions): Searcher {
  const { search, counts, cache, pause, maxPrefixes, now } = options;
  return createAsker({
    divide: (keys) => partsOf(keys, maxPrefixes),
    pause,
    now,
    async ask(keys, signal) {
      // The prefixes are sorted, so that their order says nothing about the URLs.
      const sorted = [...keys].sort((a, b) => a - b);
      const asked = now();
      counts.prefixes += keys.length;
      const { hashes, duration, wait } = await search(sorted.map(prefixOf), signal);
      const known = new Set(keys);
      if (
        hashes.some(({ hash }) => hash.length !== FULL_HASH_BYTES || !known.has(prefixKey(hash)))
      ) {
        const message = "The server's answer has a full hash for no requested prefix";
        throw new ClientError("answer-wrong", message);
      }
      // The age of the answer is counted from its request, because the machine may have slept in between.
      const from = Math.min(asked, now());
      const groups = groupHashes(hashes);
      if (groups.size === 0 && duration === null) throw validityMissing();
      const found = new Map<number, PrefixAnswer | ClientError>();
      for (const key of keys) {
        const group = groups.get(key);
        if (group === undefined && duration === null) {
          found.set(key, validityMissing());
          continue;
        }
        const answer = { hashes: group ?? new Map(), from, duration: duration ?? 0 };
        found.set(key, answer);
        cache.set(key, answer);
      }
      return { found, wait };
    },
  });
}

/** The full hashes of a list that begin with a prefix. */
export interface FullHashes {
  readonly hashes: readonly {
    readonly hash: Uint8Array;
    /** Whether the threat only counts in frames. */
    readonly isForFrames: boolean;
  }[];
  /** When this answer expires, in milliseconds since 1970; the time may have passed already. */
  readonly expires: number;
}

/** Finds full hashes by prefixes, for programs that look URLs up themselves. */
export interface FullHashFinder {
  /**
   * The full hashes of a list that begin with the first four bytes of a prefix, from an earlier answer of the server;
   * `null` when the server has to be asked.
   *
   * @throws {ClientError} `option-invalid` when `list` is not a list of this client, and `list-missing` when a store's
   * list is not loaded.
   */
  knownFullHashes(list: string, prefix: Uint8Array): FullHashes | null;
  /**
   * For each prefix, the full hashes of a list that begin with its first four bytes: from an earlier answer or, if none
   * is valid, from the server.
   *
   * @throws {ClientError} as `knownFullHashes` does, and when the server gives no usable answer.
   */
  findFullHashes(
    list: string,
    prefixes: readonly Uint8Array[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<FullHashes[]>;
}

function keyOf(prefix: unknown): number {
  if (!isUint8Array(prefix)) throw typeError("prefix", "a Uint8Array", prefix);
  const { length } = prefix;
  if (length < MIN_PREFIX_BYTES || length > MAX_PREFIX_BYTES) {
    const range = `${MIN_PREFIX_BYTES} to ${MAX_PREFIX_BYTES}`;
    throw new RangeError(`A prefix has ${range} bytes, not ${length}`);
  }
  return prefixKey(prefix);
}

interface FullHashFinderOptions extends Pick<CheckedOptions, "protocol" | "now"> {
  readonly cache: HashCache;
  readonly searcher: Searcher;
  /** The lists that searches name, as far as they are loaded. */
  readonly searchedLists: () => readonly KeptList[];
  /** Why a search that finds nothing does not show that an entry of a list is gone; `null` when it does. */
  readonly distrusted: (list: string) => ClientError | null;
}

export function createFullHashFinder(options: FullHashFinderOptions): FullHashFinder {
  const { cache, searcher, protocol, searchedLists, distrusted, now } = options;

  /** The part of an answer that is about a list: the threats of its type, or all threats when the list has no type. */
  function ofList(list: string, answer: PrefixAnswer): FullHashes {
    const type = protocol.describe(list).threatType;
    const hashes = [...answer.hashes.values()].flatMap(({ hash, threats }) => {
      const own = threats.filter(({ threatType }) => type === null || threatType === type);
      if (own.length === 0) return [];
      return [{ hash, isForFrames: own.every(({ isForFrames }) => isForFrames) }];
    });
    return { hashes, expires: wholeUntil(answer) };
  }

  /** Throws if searches do not cover a list. Otherwise, an answer would say that nothing is listed. */
  function checkSearched(name: string): void {
    const kept = searchedLists().find((each) => each.name === name);
    if (kept === undefined) {
      const message = `${JSON.stringify(name)} is not one of the client's lists`;
      throw new ClientError("option-invalid", message, { list: name });
    }
    if (protocol.searchesOnlyLoaded && kept.list === null) {
      throw listMissing(name);
    }
  }

  /** An answer that has not expired; `null` when the server has to be asked. */
  function known(key: number, time: number): PrefixAnswer | null {
    const answer = cache.last(key, time);
    return answer !== undefined && time < wholeUntil(answer) ? answer : null;
  }

  return {
    knownFullHashes(list, prefix) {
      checkSearched(list);
      const answer = known(keyOf(prefix), now());
      const found = answer && ofList(list, answer);
      return found?.hashes.length === 0 && distrusted(list) !== null ? null : found;
    },

    async findFullHashes(list, prefixes, options) {
      checkSearched(list);
      const keys = prefixes.map(keyOf);
      const time = now();
      const kept = new Map(keys.map((key) => [key, known(key, time)]));
      const open = new Set(keys.filter((key) => kept.get(key) === null));
      const answers = await searcher.find(open, options?.signal);
      return keys.map((key) => {
        const answer = kept.get(key) ?? answers.get(key)!;
        if (answer instanceof ClientError) throw answer;
        const found = ofList(list, answer);
        const error = found.hashes.length === 0 ? distrusted(list) : null;
        if (error !== null) throw error;
        return found;
      });
    },
  };
}

/** The first four bytes of a hash or prefix, as a number. Searches send these four bytes and no more. */
export function prefixKey(bytes: Uint8Array): number {
  return ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
}

/** The four bytes of a number that {@link prefixKey} returned. */
function prefixOf(key: number): Uint8Array {
  return Uint8Array.of(key >>> 24, key >>> 16, key >>> 8, key);
}

/** The bytes of a full hash, as a key of a map. */
function hashKey(hash: Uint8Array): string {
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
type FoundHashes = ReadonlyMap<string, FoundHash>;

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
function wholeUntil({ hashes, from, duration }: PrefixAnswer): number {
  let shortest = Math.min(duration, LONGEST_DURATION);
  for (const found of hashes.values()) shortest = Math.min(shortest, found.duration);
  return from + shortest;
}

/**
 * Groups full hashes by their prefixes. A hash that was found several times, such as on two lists, appears once, with
 * all its threats.
 */
function groupHashes(found: readonly FoundHash[]): ReadonlyMap<number, FoundHashes> {
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

/**
 * The maximum number of prefixes and full hashes, or of URLs, whose answers are kept. New answers replace the oldest.
 */
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
