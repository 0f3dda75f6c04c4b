import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { ClientError } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type { SearchAnswer } from "../protocols/protocol.ts";
import type { SearchPause } from "../requests/search-pause.ts";
import { type Answered, type Asker, createAsker, partsOf } from "../requests/shared-searches.ts";
import type { PrefixAnswer } from "./answer-validity.ts";
import type { Decoys } from "./decoys.ts";
import { groupHashes, type HashCache } from "./hash-cache.ts";
import { prefixKey, prefixOf } from "./prefix-key.ts";

/** The server's answer about each prefix, or the reason why there is none. */
export type Answers = Answered<number, PrefixAnswer>;

export const NO_ANSWERS: Answers = new Map();

/** Asks the server for full hashes. */
export type Searcher = Asker<number, PrefixAnswer>;

export interface SearcherOptions extends Pick<CheckedOptions, "maxPrefixes" | "decoys" | "now"> {
  readonly search: (prefixes: readonly Uint8Array[], signal: AbortSignal) => Promise<SearchAnswer>;
  readonly onPrefixes: (prefixes: number, decoys: number) => void;
  readonly cache: HashCache;
  readonly pause: SearchPause;
  /** Returns the decoys of the current lists. */
  readonly source: () => Decoys;
}

/** Makes a searcher that caches its answers, except those about decoys. */
export function createSearcher(options: SearcherOptions): Searcher {
  const { search, onPrefixes, cache, pause, source, maxPrefixes, decoys, now } = options;
  const room = Math.max(1, Math.floor(maxPrefixes / (1 + decoys)));
  return createAsker({
    divide: (keys) => partsOf(keys, room),
    pause,
    now,
    async ask(keys, signal) {
      const added = source().choose(keys);
      // The prefixes are sorted, so that the position of a prefix does not show whether it is a decoy.
      const all = [...keys, ...added].sort((a, b) => a - b);
      const asked = now();
      onPrefixes(all.length, added.length);
      const { hashes, duration, wait } = await search(all.map(prefixOf), signal);
      const known = new Set(all);
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
