export { type Change, changeBetween, longerChangeBetween } from "./change.ts";
export { hasPrefix, makeMentions, type StoredMentions } from "./contents.ts";
export {
  type DifferenceOptions,
  type DifferenceParts,
  type DifferenceSince,
  differencesTo,
  entriesIn,
  type LongerDifferenceParts,
  makeDifference,
  type NewestVersion,
  type NoDifference,
} from "./differences.ts";
export { getShard, hashesIn, type ReadableHashes } from "./full-hashes.ts";
export { readHint } from "./log-files.ts";
export { NEVER } from "./manifest.ts";
export { type OpenList, openList } from "./open-list.ts";
export { makeSnapshot, type Snapshot, type SnapshotParts } from "./snapshot.ts";
export { bytesOf, PREFIX_BYTES, type PrefixWords, wordsOf } from "./words.ts";
