import { type CanonicalUrl, parseUrl } from "@x/canon";
import { type Expression, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { type FullHash, fullHash, type HashPrefix, toHex } from "@x/sha256-prefix";
import type { EngineChoice } from "./link.ts";
import type { RowMatch } from "./row.ts";

/** One expression of a URL, hashed. */
export interface HashedExpression {
  readonly expression: Expression;
  readonly hash: FullHash;
}

/** What the lists say of a URL. */
export interface Verdict {
  readonly canonical: string;
  readonly matches: readonly RowMatch[];
}

export interface Checking {
  /** What computes the hashes. */
  readonly engine: string;
  /** @throws CanonError for what is not a URL. */
  check(url: string | Uint8Array): Verdict;
}

export function hashedExpressions(url: CanonicalUrl): HashedExpression[] {
  return expressions(url).map((expression) => ({ expression, hash: fullHash(expression) }));
}

export function createChecking(lists: readonly PrefixList[], _engine: EngineChoice): Checking {
  return {
    engine: "javascript",
    check(given) {
      const url = parseUrl(given);
      const hashes = hashedExpressions(url);
      const matches = lists.flatMap((list) =>
        hashes.flatMap(({ expression, hash }): RowMatch[] => {
          const prefix: HashPrefix | null = lookupPrefix(list, hash);
          return prefix === null ? [] : [{ list: list.name, expression, prefix: toHex(prefix) }];
        }),
      );
      return { canonical: url.href, matches };
    },
  };
}
