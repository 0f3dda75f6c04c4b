import { type Client, ClientError, type FullHashes } from "@x/client";
import { PREFIX_BYTES } from "@x/list-store/serving";
import { toHex } from "@x/sha256-prefix";

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
 * Searches through another process, and keeps its answers as long as they are valid. `own` searches if it cannot answer.
 * The cache of `own` cannot keep these answers: they are about one list, and its own are about all lists of the server.
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
