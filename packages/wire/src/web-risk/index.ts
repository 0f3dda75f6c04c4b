export {
  type ComputeThreatListDiffResponse,
  computeThreatListDiff,
  type RiceDeltaEncoding,
} from "./diffs.ts";
export type { CompressionType, ThreatType } from "./enums.ts";
export {
  type SearchUrisResponse,
  searchHashes,
  searchUris,
  type ThreatHash,
  WEB_RISK_METHODS,
} from "./methods.ts";
export { fromThreatListDiff, toThreatListDiff } from "./threat-list-diff.ts";
