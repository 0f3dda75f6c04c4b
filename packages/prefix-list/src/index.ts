export {
  type PrefixListBuilder,
  type PrefixListBuilderOptions,
  type PrefixListFacts,
  type PrefixListOptions,
  prefixList,
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
export { lookupPrefix } from "./lookup.ts";
export {
  type PrefixList,
  type PrefixTable,
  prefixes,
  rawHashesIn,
  sharePrefixList,
} from "./prefix-list.ts";
export type { LengthChecksum, PrefixLength, RawHashes } from "./raw-hashes/raw-hashes.ts";
export {
  type ApplyDifferenceOptions,
  applyDifference,
  updatePrefixList,
} from "./update-prefix-list.ts";
