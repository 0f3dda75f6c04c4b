import { type Client, ClientError, type FullHashes } from "@x/client";
import { hasPrefix, PREFIX_BYTES, type PrefixWords } from "@x/list-store/serving";
import { toHex } from "@x/sha256-prefix";
import { fairQueue, QUEUES } from "../fairness.ts";
import { HttpProblem } from "../http/reply.ts";
import { NOTHING_FOUND } from "../lists/search-lists.ts";
import type { FoundHashes, UpstreamVersion } from "../lists/served-lists.ts";

/**
 * The maximum number of prefixes in one search. If a client asks about more prefixes, other clients have turns between
 * its searches.
 */
const AT_A_TIME = 30;

/** Searches another server for full hashes, and keeps its answers for as long as they are valid. */
export interface UpstreamSearches {
  /**
   * Returns the functions that search the other server for entries of a list. `list` is the list's name on the other
   * server, and `name` its name on this server.
   */
  of(list: string, name: string, words: PrefixWords): Pick<UpstreamVersion, "ask" | "find">;
}

function beginsWith(hash: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, i) => hash[i] === byte);
}

/** The full hashes that begin with a prefix. This prefix may be longer than the prefix that was searched for. */
function selected({ hashes, expires }: FullHashes, prefix: Uint8Array): FoundHashes {
  const own = hashes.filter(({ hash }) => beginsWith(hash, prefix));
  return {
    hashes: own.filter(({ isForFrames }) => !isForFrames).map(({ hash }) => hash),
    forFrames: own.filter(({ isForFrames }) => isForFrames).map(({ hash }) => hash),
    expires,
  };
}

export function upstreamSearches(finder: Finder): UpstreamSearches {
  const queue = fairQueue(QUEUES.upstreamSearches);

  /**
   * Asks the other server about prefixes. Throws if the server gives no usable answer, because the prefixes must not
   * count as unlisted.
   */
  function search(
    list: string,
    name: string,
    prefixes: readonly Uint8Array[],
    network: () => string,
  ): Promise<FullHashes[]> {
    return queue.run(network(), () =>
      finder.findFullHashes(list, prefixes).catch((error: ClientError) => {
        const after = Math.ceil(Math.min(Math.max(error.retryAfter ?? 0, 1000), 60_000) / 1000);
        throw new HttpProblem(
          503,
          `An entry of the list ${name} cannot be confirmed: the server that the list comes from does not answer.`,
          { "Retry-After": String(after) },
        );
      }),
    );
  }

  async function searchInTurns(
    list: string,
    name: string,
    prefixes: readonly Uint8Array[],
    network: () => string,
  ): Promise<void> {
    for (let i = 0; i < prefixes.length; i += AT_A_TIME) {
      await search(list, name, prefixes.slice(i, i + AT_A_TIME), network);
    }
  }

  return {
    of(list, name, words) {
      /** The prefix to search for; `null` if the prefix is not on the list, so that there is nothing to find. */
      const searchedFor = (prefix: Uint8Array) =>
        hasPrefix(words, prefix) ? prefix.subarray(0, PREFIX_BYTES) : null;
      return {
        ask(prefixes, network) {
          const open = prefixes
            .map(searchedFor)
            .filter((prefix) => prefix !== null)
            .filter((prefix) => finder.knownFullHashes(list, prefix) === null);
          return open.length < 2 ? undefined : searchInTurns(list, name, open, network);
        },
        find(prefix, network) {
          const short = searchedFor(prefix);
          if (short === null) return NOTHING_FOUND;
          const known = finder.knownFullHashes(list, short);
          if (known !== null) return selected(known, prefix);
          return search(list, name, [short], network).then(([found]) => selected(found!, prefix));
        },
      };
    },
  };
}

/*
 * Of several processes, one keeps the lists of other servers and searches these servers. The others read the lists that
 * it stores, and search through it. So several processes send no more requests than one.
 */

/** A search for full hashes on another server. */
export interface UpstreamSearch {
  /** All settings for the other server, as in `UpstreamOptions`. */
  readonly settings: string;
  /** The list's name on the other server. */
  readonly list: string;
  readonly prefixes: readonly Uint8Array[];
}

/** The answer to each prefix, or how long to wait because the other server gave no usable answer. */
type UpstreamAnswer = readonly FullHashes[] | { readonly retryAfter: number | null };

/** Searches through another process. Returns `undefined` if that process cannot answer. */
export type SearchThrough = (search: UpstreamSearch) => Promise<UpstreamAnswer | undefined>;

/** The part of a client that searches. */
export type Finder = Pick<Client, "knownFullHashes" | "findFullHashes">;

/** Answers a search of another process. */
export async function answerSearch(
  finder: Finder,
  { list, prefixes }: UpstreamSearch,
): Promise<UpstreamAnswer> {
  try {
    return await finder.findFullHashes(list, prefixes);
  } catch (error) {
    return { retryAfter: (error as ClientError).retryAfter ?? null };
  }
}

/** The maximum number of answers that are kept. */
const MAX_KEPT = 50_000;

/**
 * Searches through another process, and keeps its answers as long as they are valid. `own` searches if it cannot
 * answer. The cache of `own` cannot keep these answers: they are about one list, and its own are about all lists of the
 * server.
 */
export function sharedSearches(
  settings: string,
  through: SearchThrough,
  own: Finder,
  now: () => number,
): Finder {
  const kept = new Map<string, { readonly answer: FullHashes; readonly from: number }>();
  const keyOf = (list: string, prefix: Uint8Array) =>
    `${list} ${toHex(prefix.subarray(0, PREFIX_BYTES))}`;
  return {
    knownFullHashes(list, prefix) {
      const known = kept.get(keyOf(list, prefix));
      const time = now();
      // If the clock was set back, the age of the answer is not known.
      const isValid = known !== undefined && known.from <= time && time < known.answer.expires;
      return isValid ? known.answer : own.knownFullHashes(list, prefix);
    },
    async findFullHashes(list, prefixes) {
      const from = now();
      const answers = await through({ settings, list, prefixes });
      if (answers === undefined) return own.findFullHashes(list, prefixes);
      if ("retryAfter" in answers) {
        const message = "The other server gives no usable answer";
        const { retryAfter } = answers;
        throw new ClientError("server-unreachable", message, { retryAfter });
      }
      for (const [i, answer] of answers.entries()) {
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(keyOf(list, prefixes[i]!), { answer, from });
      }
      return [...answers];
    },
  };
}
