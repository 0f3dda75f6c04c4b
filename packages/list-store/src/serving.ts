export { type Change, changeBetween, longerChangeBetween } from "./contents/change.ts";
export {
  type DifferenceParts,
  entriesIn,
  type LongerDifferenceParts,
  makeDifference,
} from "./contents/difference.ts";
export { hashesIn, type ReadableHashes } from "./contents/find-in-shard.ts";
export { hasPrefix } from "./contents/find-shard.ts";
export { makeMentions, type StoredMentions } from "./contents/hash-layers.ts";
export { bytesOf, PREFIX_BYTES, type PrefixWords, wordsOf } from "./contents/prefix-words.ts";
export { getShard } from "./contents/shard-size.ts";
export { makeSnapshot, type Snapshot, type SnapshotParts } from "./contents/snapshot.ts";
export { readHint } from "./log-files.ts";
export { NEVER } from "./manifest.ts";
export {
  type DifferenceOptions,
  type DifferenceSince,
  differencesTo,
  type NewestVersion,
  type NoDifference,
} from "./reading/difference-or-full-update.ts";
export { type OpenList, openList } from "./reading/open-list.ts";
