export {
  fullHashesIn,
  hasPrefix,
  type MakeMentions,
  makeMentions,
  type StoredMentions,
} from "./contents/hash-layers.ts";
export {
  type ChangesToJoin,
  type JoinStoredChanges,
  joinStoredChanges,
  type StoredChange,
} from "./contents/join-stored-changes.ts";
export {
  changeBetween,
  differenceTo,
  entriesIn,
  joinConsecutive,
  type ListDifference,
  type PrefixChange,
  wordsOfChange,
} from "./contents/prefix-change.ts";
export {
  bytesOf,
  countBelow,
  PREFIX_BYTES,
  type PrefixWords,
  wordsOf,
} from "./contents/prefix-words.ts";
export {
  getAdditions,
  type MakeSnapshot,
  makeSnapshot,
  type Snapshot,
  type SnapshotParts,
} from "./contents/snapshot.ts";
export type { StoredObject } from "./contents/stored-prefixes.ts";
export { getObject } from "./objects.ts";
export {
  bytesAByte,
  type ChangesSince,
  changesUpTo,
  type NoDifference,
  type WorkQueue,
} from "./reading/changes-up-to.ts";
export {
  type FullHashSearch,
  type SearchableList,
  searchable,
  searchFullHashes,
} from "./reading/find-full-hashes.ts";
export { type RecentlyUsed, recentlyUsed } from "./reading/recently-used.ts";
