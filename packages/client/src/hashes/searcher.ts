import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { ClientError } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type { SearchAnswer } from "../protocols/protocol.ts";
import type { SearchPause } from "../requests/search-pause.ts";
import { type Answered, type Asker, createAsker, partsOf } from "../requests/shared-searches.ts";
import type { PrefixAnswer } from "./answer-validity.ts";
import { groupHashes, type HashCache } from "./hash-cache.ts";
import { prefixKey, prefixOf } from "./prefix-key.ts";

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
