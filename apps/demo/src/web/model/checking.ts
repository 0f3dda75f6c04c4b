import { canonicalize } from "@x/canon";
import { checker, type Match } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import type { HashEngine } from "@x/sha256-prefix/batch";
import type { EngineChoice } from "./link.ts";
import type { RowMatch } from "./row.ts";

/** What came of one URL: its canonical form and what of it is on a list, or why it is not a URL. */
export type Verdict =
  | { readonly canonical: string; readonly matches: readonly RowMatch[]; readonly error: null }
  | {
      readonly canonical: null;
      readonly matches: readonly [];
      readonly error: { readonly code: string; readonly message: string };
    };

export interface Checking {
  /** What computes the hashes. */
  readonly engine: HashEngine;
  /** @throws CanonError for what is not a URL. */
  check(url: string | Uint8Array): RowMatch[];
  /** One verdict for each URL, in order. */
  checkMany(urls: readonly Uint8Array[]): Verdict[];
}

/** As plain data in which the list is only named. */
function toRowMatch({ list, expression, prefix }: Match): RowMatch {
  return { list: list.name, expression, prefix: toHex(prefix) };
}

export function createChecking(lists: readonly PrefixList[], engine: EngineChoice): Checking {
  const { engine: running, check, checkMany } = checker(lists, { engine });
  return {
    engine: running,
    check: (url) => check(url).map(toRowMatch),
    checkMany: (urls) =>
      Array.from(checkMany(urls), ({ matches, error }, i): Verdict => {
        if (error !== null) {
          const { code, message } = error;
          return { canonical: null, matches: [], error: { code, message } };
        }
        return { canonical: canonicalize(urls[i]!), matches: matches.map(toRowMatch), error: null };
      }),
  };
}
