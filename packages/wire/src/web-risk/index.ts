export {
  type CompressionType,
  type ComputeThreatListDiffResponse,
  computeThreatListDiff,
  fromThreatListDiff,
  type RiceDeltaEncoding,
  type ThreatType,
  toThreatListDiff,
} from "./diffs.ts";
export {
  type SearchUrisResponse,
  searchHashes,
  searchUris,
  type ThreatHash,
  WEB_RISK_METHODS,
} from "./methods.ts";
