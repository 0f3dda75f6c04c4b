export type { Checksum, RawHashesMessage, RawIndices } from "../list-update/raw-or-rice.ts";
export {
  type ComputeThreatListDiffRequest,
  type ComputeThreatListDiffResponse,
  type Constraints,
  computeThreatListDiff,
  type RiceDeltaEncoding,
  type ThreatEntryAdditions,
  type ThreatEntryRemovals,
} from "./diffs.ts";
export type { CompressionType, ResponseType, ThreatType } from "./enums.ts";
export {
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
