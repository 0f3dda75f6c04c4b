export {
  type CompressionType,
  type ComputeThreatListDiffResponse,
  computeThreatListDiff,
  fromThreatListDiff,
  type RiceDeltaEncoding,
  type SearchUrisResponse,
  searchHashes,
  searchUris,
  type ThreatHash,
  type ThreatType,
  toThreatListDiff,
  WEB_RISK_METHODS,
} from "./methods.ts";
