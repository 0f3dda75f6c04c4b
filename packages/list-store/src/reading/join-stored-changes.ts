import { listOfWords, type PrefixWords, wordsOf } from "../contents/prefix-words.ts";
import { decodeSnapshot, type Snapshot } from "../contents/snapshot.ts";
import type { Sha256 } from "../objects.ts";
import {
  applyChange,
  differenceTo,
  joinChanges,
  type ListDifference,
  type PrefixChange,
  wordsIn,
} from "./prefix-change.ts";

/** The bytes that the storage has for an object, which are not checked yet. */
export interface StoredObject {
  readonly object: string;
  readonly bytes: Uint8Array;
}

/** The two objects of a version's change. */
export interface StoredChange {
  readonly removed: StoredObject;
  readonly added: StoredObject;
}

/** The changes from an older version of a list to the newest one. */
export interface ChangesToJoin {
  /** What changed after `stored`, joined before. */
  readonly later: PrefixChange | null;
  /** Consecutive changes, the newest first. */
  readonly stored: readonly StoredChange[];
  /** The prefixes of the newest version. */
  readonly words: PrefixWords;
  readonly checksums: Pick<ListDifference, "oldChecksum" | "checksum">;
}

/** The same difference in both forms. */
export interface JoinedChanges {
  /** `null` when it is so long that keeping it for older versions would take more memory than it saves time. */
  readonly change: PrefixChange | null;
  readonly difference: ListDifference;
}

const MAX_KEPT_WORDS = 2 ** 20;

/** Joins changes, here or in another thread. `entries` says about how much work that is. The bytes may be taken away. */
export type JoinStoredChanges = (
  changes: ChangesToJoin,
  entries: number,
) => JoinedChanges | Promise<JoinedChanges>;

/** Joins changes, each checked against its hash, and makes the difference for clients. */
export function joinStoredChanges(
  { later, stored, words, checksums }: ChangesToJoin,
  sha256?: Sha256,
): JoinedChanges {
  const change = joinAll(later, stored, sha256);
  return {
    change: wordsIn(change) <= MAX_KEPT_WORDS ? change : null,
    difference: differenceTo(words, change, checksums),
  };
}

/**
 * All changes as one, each checked against its hash.
 *
 * Changes of similar length are joined first, as in a merge sort. Joining each with all newer ones would take time
 * that is quadratic in their number.
 */
function joinAll(
  later: PrefixChange | null,
  stored: readonly StoredChange[],
  sha256?: Sha256,
): PrefixChange {
  const wordsOfObject = ({ bytes, object }: StoredObject) =>
    decodeSnapshot(bytes, object, sha256).words;
  /** Consecutive changes, the newest first. Each has less than half as many words as the one before. */
  const parts = [later ?? { removed: new Uint32Array(0), added: new Uint32Array(0) }];
  const joinLast = () => {
    const [newer, older] = parts.splice(-2);
    parts.push(joinChanges(older!, newer!));
  };
  for (const { removed, added } of stored) {
    parts.push({ removed: wordsOfObject(removed), added: wordsOfObject(added) });
    while (parts.length > 1 && 2 * wordsIn(parts.at(-1)!) >= wordsIn(parts.at(-2)!)) joinLast();
  }
  while (parts.length > 1) joinLast();
  return parts[0]!;
}

/** A version of a list, and the changes since. */
export interface ChangesToApply {
  readonly words: PrefixWords;
  /** Consecutive changes, the newest first. */
  readonly stored: readonly StoredChange[];
  /** The name and the time of the list that results. */
  readonly name: string;
  readonly created: number;
}

/**
 * Applies changes, each checked against its hash, here or in another thread. Whoever calls it compares the checksum of the
 * result. The bytes may be taken away.
 */
export type ApplyStoredChanges = (
  changes: ChangesToApply,
  sha256?: Sha256,
) => Snapshot | Promise<Snapshot>;

/** Applies changes, each checked against its hash. The checksum of the result is not compared. */
export function applyStoredChanges(
  { words, stored, name, created }: ChangesToApply,
  sha256?: Sha256,
): Snapshot {
  const changed = applyChange(words, joinAll(null, stored, sha256));
  const prefixes = listOfWords(changed, name, created);
  // A change that adds what is there already is wrong, but the list may still be the right one.
  return { prefixes, words: prefixes.size === changed.length ? changed : wordsOf(prefixes) };
}
