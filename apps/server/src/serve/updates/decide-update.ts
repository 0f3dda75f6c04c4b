import { StoreError } from "../../store/error.ts";
import type { LoadedList, NoDifference } from "../../store/list-reader.ts";
import type { ListDifference } from "../../store/prefix-change.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { formatToken, isTokenOf, parseToken } from "./update-token.ts";

/** What a client needs to have the newest version. */
export type Update = {
  readonly list: LoadedList;
  readonly row: ServedList["row"];
  /** The token the client has afterwards. */
  readonly token: Uint8Array;
} & (
  | { readonly kind: "none" }
  | { readonly kind: "partial"; readonly difference: ListDifference; readonly from: string }
  | {
      readonly kind: "full";
      readonly reason: "new-client" | "repeated" | "object-missing" | NoDifference;
    }
);

/** The update for a client that has what a token says; an empty token stands for nothing. */
export async function decideUpdate(
  served: ServedList,
  list: LoadedList,
  given: Uint8Array,
  hasFailed: (token: string) => boolean,
): Promise<Update> {
  const { contents } = list.entry.manifest;
  const token = Buffer.from(formatToken(served.name, contents), "latin1");
  const about = { list, row: served.row, token };
  if (given.length === 0) return { ...about, kind: "full", reason: "new-client" };
  const parsed = parseToken(given);
  if (parsed === null || parsed.list !== served.name) {
    return { ...about, kind: "full", reason: "unknown-token" };
  }
  if (isTokenOf(parsed, contents)) return { ...about, kind: "none" };
  const difference = await served.changesSince(parsed.since).catch((error) => {
    // A collected or damaged object is no reason to send nothing at all.
    if (error instanceof StoreError) return "object-missing" as const;
    throw error;
  });
  if (typeof difference === "string") return { ...about, kind: "full", reason: difference };
  if (!difference.oldChecksum.startsWith(parsed.checksum)) {
    return { ...about, kind: "full", reason: "unknown-token" };
  }
  const from = Buffer.from(given).toString("latin1");
  if (hasFailed(from)) return { ...about, kind: "full", reason: "repeated" };
  return { ...about, kind: "partial", difference, from };
}
