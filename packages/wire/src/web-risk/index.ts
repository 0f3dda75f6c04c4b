export type {
  Checksum,
  ComputeThreatListDiffRequest,
  ComputeThreatListDiffResponse,
  Constraints,
  RawHashesMessage,
  RawIndices,
  RiceDeltaEncoding,
  ThreatEntryAdditions,
  ThreatEntryRemovals,
} from "./diff-messages.ts";
export type { CompressionType, ResponseType, ThreatType } from "./enums.ts";
export {
  computeThreatListDiff,
  type SearchHashesRequest,
  type SearchHashesResponse,
  type SearchUrisRequest,
  type SearchUrisResponse,
  searchHashes,
  searchUris,
  type ThreatHash,
  type ThreatUri,
  WEB_RISK_METHODS,
} from "./methods.ts";
export {
  fromThreatListDiff,
  type ThreatListDiffFacts,
  toThreatListDiff,
} from "./threat-list-diff.ts";
