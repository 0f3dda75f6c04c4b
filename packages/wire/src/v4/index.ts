export type { PlatformType, ThreatEntryType, ThreatType } from "./enums.ts";
export {
  fromListUpdateResponse,
  listUpdatesInOrder,
  toListUpdateResponse,
} from "./list-update-response.ts";
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
  type FetchThreatListUpdatesResponse,
  fetchThreatListUpdates,
  type ListUpdateRequest,
  type ListUpdateResponse,
  type RiceDeltaEncoding,
  type ThreatListDescriptor,
} from "./updates.ts";
