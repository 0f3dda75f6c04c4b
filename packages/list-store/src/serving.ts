export { type Change, changeBetween, longerChangeBetween } from "./change.ts";
export {
  hasPrefix,
  makeMentions,
  makeSnapshot,
  type Snapshot,
  type SnapshotParts,
  type StoredMentions,
} from "./contents.ts";
export {
  type DifferenceParts,
  entriesIn,
  type LongerDifferenceParts,
  makeDifference,
} from "./difference.ts";
export {
  type DifferenceOptions,
  type DifferenceSince,
  differencesTo,
  type NewestVersion,
  type NoDifference,
} from "./differences.ts";
export { getShard, hashesIn, type ReadableHashes } from "./full-hashes.ts";
export { readHint } from "./log-files.ts";
export { NEVER } from "./manifest.ts";
export { type OpenList, openList } from "./open-list.ts";
export { bytesOf, PREFIX_BYTES, type PrefixWords, wordsOf } from "./words.ts";
