import { FULL_HASH_BYTES, isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { ClientError, listMissing } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type { KeptList, SearchAnswer } from "../protocols/protocol.ts";
import { type Answered, type Asker, createAsker, partsOf, type SearchPause } from "./asker.ts";
import {
  groupHashes,
  type HashCache,
  type PrefixAnswer,
  prefixKey,
  prefixOf,
  wholeUntil,
} from "./hash-cache.ts";

/** The server's answer about each prefix, or the reason why there is none. */
export type Answers = Answered<number, PrefixAnswer>;

export const NO_ANSWERS: Answers = new Map();

/** Asks the server for full hashes. */
export type Searcher = Asker<number, PrefixAnswer>;

export interface SearcherOptions extends Pick<CheckedOptions, "now"> {
  readonly search: (prefixes: readonly Uint8Array[], signal: AbortSignal) => Promise<SearchAnswer>;
  readonly onPrefixes: (prefixes: number) => void;
  /** The maximum number of prefixes in one search. */
  readonly maxPrefixes: number;
  readonly cache: HashCache;
  readonly pause: SearchPause;
}

/** Makes a searcher that caches its answers. */
export function createSearcher(options: SearcherOptions): Searcher {
  const { search, onPrefixes, cache, pause, maxPrefixes, now } = options;
  return createAsker({
    divide: (keys) => partsOf(keys, maxPrefixes),
    pause,
    now,
    async ask(keys, signal) {
      // The prefixes are sorted, so that their order says nothing about the URLs.
      const sorted = [...keys].sort((a, b) => a - b);
      const asked = now();
      onPrefixes(keys.length);
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
      const found = new Map<number, PrefixAnswer>();
      for (const key of keys) {
        const answer = { hashes: groups.get(key) ?? new Map(), from, duration };
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

const MIN_BYTES = 4;
const MAX_BYTES = 32;

function keyOf(prefix: unknown): number {
  if (!isUint8Array(prefix)) throw typeError("prefix", "a Uint8Array", prefix);
  if (prefix.length < MIN_BYTES || prefix.length > MAX_BYTES) {
    throw new RangeError(`A prefix has 4 to 32 bytes, not ${prefix.length}`);
  }
  return prefixKey(prefix);
}

export interface FullHashFinderOptions extends Pick<CheckedOptions, "protocol" | "now"> {
  readonly cache: HashCache;
  readonly searcher: Searcher;
  /** The lists that searches name, as far as they are loaded. */
  readonly searchedLists: () => readonly KeptList[];
}

export function createFullHashFinder(options: FullHashFinderOptions): FullHashFinder {
  const { cache, searcher, protocol, searchedLists, now } = options;

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
      return answer && ofList(list, answer);
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
        return ofList(list, answer);
      });
    },
  };
}
