import type { PrefixLength, PrefixList } from "@x/prefix-list";
import { checkLayout } from "@x/prefix-list/search";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import type { Match } from "./verdict.ts";

/** A match counts as certain if a smaller share of harmless URLs matches by chance. */
export const DOUBTFUL_CHANCE = 1e-6;
/**
 * A match with a prefix of this length is never certain: in the protocols, it is only a hint to search for the full
 * hash.
 */
const SEARCHED_BYTES = 4;

/**
 * The smallest prefix length in bytes at which a match is certain: fewer than one harmless URL in a million matches
 * prefixes of this length or longer by chance. The result is more than four, and at most the length of a full hash.
 */
export function certainLength(lists: readonly PrefixList[]): number {
  const lengths = lists.flatMap((list) => list.lengths);
  let certain = FULL_HASH_BYTES;
  for (let bytes = FULL_HASH_BYTES; bytes > SEARCHED_BYTES; bytes--) {
    const longer = lengths.filter(({ prefixBytes }) => prefixBytes >= bytes);
    if (shareOf(longer) >= DOUBTFUL_CHANCE) break;
    certain = bytes;
  }
  return certain;
}

/** The certainty of a match with a prefix of this length. `certainBytes` is the result of {@link certainLength}. */
export function certaintyOf(
  prefixBytes: number,
  certainBytes: number,
): Pick<Match, "confirmed" | "by"> {
  if (prefixBytes === FULL_HASH_BYTES) return { confirmed: true };
  return prefixBytes < certainBytes ? { confirmed: false } : { confirmed: true, by: "length" };
}

/** The approximate average for real URLs. */
const EXPRESSIONS_PER_URL = 6.3;
const BITS_PER_BYTE = 8;

/**
 * The share of harmless URLs, from 0 to 1, that are expected to match by chance. A URL matches by chance when the hash of
 * one of its expressions begins with the prefix of an unrelated entry.
 *
 * A list with n prefixes of b bytes matches a hash with probability p = n / 2^(8b). For e expressions per URL, the
 * result is 1 − Π (1 − p)^e, with one factor for each prefix length of each list.
 *
 * @param expressionsPerUrl the average number of expressions per URL. The default, 6.3, is the average for real URLs.
 * @throws TypeError when `lists` is neither a list nor an array of lists, or `expressionsPerUrl` is not a number.
 * @throws RangeError when `expressionsPerUrl` is negative or not finite.
 * @example
 * ```ts
 * import { chanceOfFalseMatch } from "@x/lookup";
 * import { prefixList } from "@x/prefix-list";
 *
 * const rawHashes = new Uint8Array(4_000_000);
 * for (let i = 0; i < 1_000_000; i++) new DataView(rawHashes.buffer).setUint32(4 * i, 4294 * i);
 * const list = prefixList([{ prefixBytes: 4, rawHashes }]); // a million prefixes of 4 bytes
 * chanceOfFalseMatch([list, list, list]).toFixed(4); // → "0.0044"
 * ```
 */
export function chanceOfFalseMatch(
  lists: PrefixList | readonly PrefixList[],
  expressionsPerUrl: number = EXPRESSIONS_PER_URL,
): number {
  if (typeof expressionsPerUrl !== "number") {
    throw typeError("expressionsPerUrl", "a number", expressionsPerUrl);
  }
  if (!(expressionsPerUrl >= 0 && expressionsPerUrl < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`expressionsPerUrl must be 0 or more, not ${expressionsPerUrl}`);
  }
  return shareOf(
    checkLists("lists", lists).flatMap(({ lengths }) => lengths),
    expressionsPerUrl,
  );
}

/** The share of harmless URLs that match prefixes of these lengths by chance. */
function shareOf(
  lengths: readonly PrefixLength[],
  expressionsPerUrl: number = EXPRESSIONS_PER_URL,
): number {
  let logOfNone = 0;
  for (const { prefixBytes, count } of lengths) {
    // For small x, log1p(x) and expm1(x) keep the digits that 1 + x loses.
    logOfNone += Math.log1p(-count / 2 ** (BITS_PER_BYTE * prefixBytes));
  }
  return 0 - Math.expm1(expressionsPerUrl * logOfNone);
}

/** Returns one list or several as an array. Anything else throws a `TypeError`, because no URL would ever be listed. */
export function checkLists(argument: string, lists: unknown): readonly PrefixList[] {
  if (Array.isArray(lists)) {
    // `map` is not used, because it skips elements that were never set.
    return Array.from(lists, (list: unknown, i) => {
      checkLayout(list, `${argument}[${i}]`);
      return list;
    });
  }
  if (typeof lists !== "object" || lists === null || !Object.hasOwn(lists, "layout")) {
    throw typeError(argument, "a PrefixList or an array of them", lists);
  }
  checkLayout(lists, argument);
  return [lists];
}
