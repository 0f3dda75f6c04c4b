export { type ApplyDifferenceOptions, applyDifference } from "./difference/apply-difference.ts";
export { diffPrefixLists } from "./difference/diff-prefix-lists.ts";
export type { PrefixListDifference } from "./difference/difference.ts";
export { updatePrefixList } from "./difference/update-prefix-list.ts";
export { PrefixListError, type PrefixListErrorCode } from "./error.ts";
export { decodeDifference, encodeDifference } from "./file/difference-file.ts";
export { prefixListFileKind } from "./file/file-kind.ts";
export { type DecodeOptions, decodePrefixList, encodePrefixList } from "./file/list-file.ts";
export type { EntryLimit } from "./limits.ts";
export {
  type PrefixListBuilder,
  type PrefixListBuilderOptions,
  type PrefixListFacts,
  prefixListBuilder,
} from "./list/builder.ts";
export { prefixes, rawHashesIn } from "./list/contents.ts";
export { lookupPrefix } from "./list/look-up.ts";
export { mergePrefixLists, type PrefixListOptions, prefixList } from "./list/make-list.ts";
export type { PrefixList } from "./list/prefix-list.ts";
export { sharePrefixList } from "./list/share-prefix-list.ts";
export type { LengthChecksum } from "./raw-hashes/checksum.ts";
export type { PrefixLength, RawHashes } from "./raw-hashes/raw-hashes.ts";
export type { PrefixTable } from "./table/table.ts";
