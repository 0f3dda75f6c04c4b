export {
  type ComputeThreatListDiffResponse,
  computeThreatListDiff,
  fromThreatListDiff,
  type RiceDeltaEncoding,
  toThreatListDiff,
} from "./diffs.ts";
export type { CompressionType, ThreatType } from "./enums.ts";
export {
  type SearchUrisResponse,
  searchHashes,
  searchUris,
  type ThreatHash,
  WEB_RISK_METHODS,
} from "./methods.ts";
