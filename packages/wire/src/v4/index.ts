export type { PlatformType, ThreatEntryType, ThreatType } from "./enums.ts";
export {
  type FindFullHashesRequest,
  findFullHashes,
  findThreatMatches,
  listThreatLists,
  type ThreatInfo,
  type ThreatMatch,
  V4_METHODS,
} from "./methods.ts";
export {
  fetchThreatListUpdates,
  fromListUpdateResponse,
  type ListUpdateRequest,
  type ListUpdateResponse,
  listUpdatesInOrder,
  type RiceDeltaEncoding,
  type ThreatListDescriptor,
  toListUpdateResponse,
} from "./updates.ts";
