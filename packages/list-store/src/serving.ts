export { bytesOf, countBelow, PREFIX_BYTES, type PrefixWords } from "./contents/prefix-words.ts";
export { type DecodeSnapshot, decodeSnapshot, type Snapshot } from "./contents/snapshot.ts";
export { getObject } from "./objects.ts";
export {
  type ChangesSince,
  changesUpTo,
  type NoDifference,
  type WorkQueue,
} from "./reading/changes-up-to.ts";
export { type FullHashSearch, searchFullHashes } from "./reading/find-full-hashes.ts";
export {
  type ApplyStoredChanges,
  applyStoredChanges,
  type ChangesToApply,
  type ChangesToJoin,
  type JoinedChanges,
  type JoinStoredChanges,
  joinStoredChanges,
  type StoredChange,
} from "./reading/join-stored-changes.ts";
export { entriesIn, type ListDifference } from "./reading/prefix-change.ts";
export { readAdditions } from "./reading/read-stored-change.ts";
