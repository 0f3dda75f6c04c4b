import { type CanonicalUrl, parseUrl } from "@x/canon";
import { type Expression, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { type FullHash, fullHash, type HashPrefix, hashPrefix } from "@x/sha256-prefix";

/** An expression of a URL with its full hash and the prefix that is looked up. */
export interface UrlHash {
  readonly expression: Expression;
  readonly hash: FullHash;
  readonly prefix: HashPrefix;
}

/** A hash prefix of one list that an expression of the URL has. */
export interface Match {
  /** The list's name. */
  readonly list: string;
  readonly expression: Expression;
  readonly prefix: HashPrefix;
}

export interface Verdict {
  readonly url: CanonicalUrl;
  readonly matches: readonly Match[];
}

/** The expressions of a URL with their hashes, in the order of the text. */
export function urlHashes(url: CanonicalUrl, prefixBytes?: number): UrlHash[] {
  return expressions(url).map((expression) => {
    const hash = fullHash(expression);
    return { expression, hash, prefix: hashPrefix(hash, prefixBytes) };
  });
}

/** What the lists say of hashes that are at hand: the longest prefix of each hash on each list. */
export function matchesOf(hashes: readonly UrlHash[], lists: readonly PrefixList[]): Match[] {
  return lists.flatMap((list) =>
    hashes.flatMap(({ expression, hash }) => {
      const prefix = lookupPrefix(list, hash);
      return prefix === null ? [] : [{ list: list.name, expression, prefix }];
    }),
  );
}

/**
 * Checks URLs, given as text or octets, against lists of hash prefixes.
 *
 * @throws CanonError for what is not a URL.
 */
export function checker(
  lists: readonly PrefixList[],
): (url: string | Uint8Array | CanonicalUrl) => Verdict {
  return (url) => {
    const parsed = typeof url === "string" || url instanceof Uint8Array ? parseUrl(url) : url;
    return { url: parsed, matches: matchesOf(urlHashes(parsed), lists) };
  };
}
