export {
  type PrefixListBuilder,
  type PrefixListBuilderOptions,
  type PrefixListFacts,
  prefixListBuilder,
} from "./builder.ts";
export { diffPrefixLists, type PrefixListDifference } from "./difference.ts";
export { PrefixListError, type PrefixListErrorCode } from "./error.ts";
export type { EntryLimit } from "./limits.ts";
export {
  type DecodeOptions,
  decodeDifference,
  decodePrefixList,
  encodeDifference,
  encodePrefixList,
  prefixListFileKind,
} from "./list-file.ts";
export { lookupPrefix } from "./look-up.ts";
export { mergePrefixLists, type PrefixListOptions, prefixList } from "./make-list.ts";
export { type PrefixList, prefixes, rawHashesIn, sharePrefixList } from "./prefix-list.ts";
export type { LengthChecksum } from "./raw-hashes/checksum.ts";
export type { PrefixLength, RawHashes } from "./raw-hashes/raw-hashes.ts";
export type { PrefixTable } from "./table.ts";
export {
  type ApplyDifferenceOptions,
  applyDifference,
  updatePrefixList,
} from "./update-prefix-list.ts";
