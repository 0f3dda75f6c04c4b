import type { Match, ReadingHash } from "@x/lookup";
import { prefixKey } from "../hashes/prefix-key.ts";
import type { Confirm } from "../options.ts";
import type { ClientMatch } from "../verdict.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ConfirmingList extends Pick<ClientMatch, "by"> {
  readonly list: string;
}

/** An expression of a URL that may be listed. */
export interface Candidate extends Pick<ClientMatch, "expression" | "reading" | "hash"> {
  readonly key: number;
  /** The names of the local lists that have the expression. */
  readonly lists: readonly string[];
  /**
   * Whether the expression is known only from an earlier answer of the server. If so, the server is not asked again.
   */
  readonly isRemembered: boolean;
  /**
   * The lists that have the full hash of the expression, or a long prefix of it, so that the server does not have to
   * confirm it.
   */
  readonly confirmedBy: readonly ConfirmingList[];
}

/** The distinct expressions that have matches. */
export function candidatesOf(
  matches: readonly Match[],
  snapshot: Snapshot,
  confirm: Confirm,
): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const match of matches) {
    const { expression, hash, reading, by } = match;
    const before = found.get(expression);
    const name = snapshot.nameOf(match);
    const names = name === null ? [] : [name];
    const lists = [...(before?.lists ?? []), ...names];
    const isConfirmed = match.confirmed && !(by === "length" && confirm === "always");
    found.set(expression, {
      expression,
      hash,
      reading,
      key: prefixKey(hash),
      lists,
      isRemembered: lists.length === 0,
      confirmedBy: [
        ...(before?.confirmedBy ?? []),
        ...(isConfirmed ? names : []).map((list) => ({ list, ...(by && { by }) })),
      ],
    });
  }
  return [...found.values()];
}

/** All expressions of a URL, with the local lists of those that have matches. */
export function hashCandidates(
  hashes: readonly ReadingHash[],
  local: readonly Candidate[] = [],
): Candidate[] {
  const known = new Map<string, Candidate>(local.map((each) => [each.expression, each]));
  return hashes.map(({ expression, hash, reading }) => {
    const { lists = [], confirmedBy = [] } = known.get(expression) ?? {};
    const key = prefixKey(hash);
    return { expression, hash, reading, key, lists, isRemembered: false, confirmedBy };
  });
}
