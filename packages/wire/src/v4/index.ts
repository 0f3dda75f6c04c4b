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
  type ThreatInfo,
  type ThreatMatch,
} from "./matches.ts";
export { listThreatLists, V4_METHODS } from "./methods.ts";
export {
  type FetchThreatListUpdatesResponse,
  fetchThreatListUpdates,
  type ListUpdateRequest,
  type ListUpdateResponse,
  type RiceDeltaEncoding,
  type ThreatListDescriptor,
} from "./updates.ts";
