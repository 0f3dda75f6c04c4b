import type { Sha256 } from "../objects.ts";
import {
  differenceTo,
  joinChanges,
  type ListDifference,
  type PrefixChange,
  wordsOfChange,
} from "./prefix-change.ts";
import type { PrefixWords } from "./prefix-words.ts";
import { type StoredObject, wordsIn } from "./stored-prefixes.ts";

/** The two objects of a change; `null` for one without prefixes. */
export interface StoredChange {
  readonly removed: StoredObject | null;
  readonly added: StoredObject | null;
}

/** The changes from an older version of a list to the newest one. */
export interface ChangesToJoin {
  /** Consecutive changes, the newest first. */
  readonly stored: readonly StoredChange[];
  /** The prefixes of the newest version. */
  readonly words: PrefixWords;
  readonly checksums: Pick<ListDifference, "oldChecksum" | "checksum">;
}

/** Joins changes, here or in another thread. `entries` says about how much work that is. The bytes may be taken away. */
export type JoinStoredChanges = (
  changes: ChangesToJoin,
  entries: number,
) => ListDifference | Promise<ListDifference>;

/**
 * Joins consecutive changes, the newest first, each checked against its hash.
 *
 * Changes of similar length are joined first, as in a merge sort. Joining each with all newer ones would take time
 * that is quadratic in their number.
 */
export function joinAll(stored: readonly StoredChange[], sha256?: Sha256): PrefixChange {
  /** Consecutive changes, the newest first. Each has less than half as many words as the one before. */
  const parts: PrefixChange[] = [{ removed: new Uint32Array(0), added: new Uint32Array(0) }];
  const joinLast = () => {
    const [newer, older] = parts.splice(-2);
    parts.push(joinChanges(older!, newer!));
  };
  for (const { removed, added } of stored) {
    parts.push({ removed: wordsIn(removed, sha256), added: wordsIn(added, sha256) });
    while (parts.length > 1 && 2 * wordsOfChange(parts.at(-1)!) >= wordsOfChange(parts.at(-2)!)) {
      joinLast();
    }
  }
  while (parts.length > 1) joinLast();
  return parts[0]!;
}

/** The difference for clients. `sha256` replaces the SHA-256 in JavaScript. */
export function joinStoredChanges(
  { stored, words, checksums }: ChangesToJoin,
  sha256?: Sha256,
): ListDifference {
  return differenceTo(words, joinAll(stored, sha256), checksums);
}
