import type { StoreError } from "@x/list-store";
import { entriesIn, type NoDifference } from "@x/list-store/serving";
import type { PrefixListDifference } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import { type AnyContents, countOf } from "../list-update.ts";
import type { ServedList } from "../lists/served-lists.ts";
import type { CodedUpdates } from "./coded-updates.ts";
import { cutFor, type UpdateLimits } from "./limits.ts";
import { offeredPrefixes } from "./offered-prefixes.ts";
import { formatToken, isTokenOf, parseToken } from "./update-token.ts";

/** An update that brings a client to the newest version. */
export type Update = {
  readonly contents: AnyContents;
  readonly row: ServedList["row"];
  /** The client's token after the update. */
  readonly token: Uint8Array;
} & (
  | { readonly kind: "none" }
  | { readonly kind: "partial"; readonly difference: PrefixListDifference; readonly from: string }
  | {
      readonly kind: "full";
      readonly reason: "new-client" | "repeated" | "object-missing" | NoDifference;
    }
);

/** A client's request for an update. */
export interface UpdateAsked {
  /** The length of the prefixes that the client wants, in bytes. */
  readonly prefixBytes: number;
  /** The token that the client has; empty when it has nothing. */
  readonly token: Uint8Array;
  readonly limits: UpdateLimits;
}

export interface UpdateCaller {
  /** Returns the client's network, to which limits apply. */
  readonly network: () => string;
  /** Whether the client seems to have failed to apply a difference from this token. */
  readonly hasFailed: (token: string) => boolean;
}

/** Decides how a client gets the newest version of a list. Throws if no version may be served. */
export async function decideUpdate(
  served: ServedList,
  { prefixBytes, token: given, limits }: UpdateAsked,
  { network, hasFailed }: UpdateCaller,
  coded: CodedUpdates,
): Promise<Update> {
  const { contents: whole, version, differenceSince } = offeredPrefixes(served, prefixBytes, coded);
  const cut = cutFor(countOf(whole), limits);
  const token = Buffer.from(formatToken(served.name, prefixBytes, version, cut), "latin1");
  const about = {
    contents: cut === null ? whole : await coded.cut(whole, cut),
    row: served.row,
    token,
  };
  if (given.length === 0) return { ...about, kind: "full", reason: "new-client" };
  const parsed = parseToken(given);
  if (parsed?.list !== served.name || parsed.prefixBytes !== prefixBytes) {
    return { ...about, kind: "full", reason: "unknown-token" };
  }
  if (isTokenOf(parsed, version) && parsed.cut === cut) return { ...about, kind: "none" };
  // Differences are between whole lists.
  if (cut !== null || parsed.cut !== null) return { ...about, kind: "full", reason: "limited" };
  const { since, checksum } = parsed;
  const { update, removals } = limits;
  const found = differenceSince(since, checksum, network(), removals).catch((error) => {
    // If an object of the store was deleted or is damaged, a full update still works.
    if (hasName<StoreError>(error, "StoreError")) return "object-missing" as const;
    throw error;
  });
  const difference = await found;
  if (typeof difference === "string") return { ...about, kind: "full", reason: difference };
  if (update !== 0 && entriesIn(difference) > update) {
    return { ...about, kind: "full", reason: "limited" };
  }
  const from = Buffer.from(given).toString("latin1");
  if (hasFailed(from)) return { ...about, kind: "full", reason: "repeated" };
  return { ...about, kind: "partial", difference, from };
}
