export type { Checksum, RawHashesMessage, RawIndices } from "../list-update/raw-or-rice.ts";
export type {
  CompressionType,
  PlatformType,
  ResponseType,
  ThreatEntryType,
  ThreatType,
} from "./enums.ts";
export {
  fromListUpdateResponse,
  type ListUpdateFacts,
  listUpdatesInOrder,
  toListUpdateResponse,
} from "./list-update-response.ts";
export {
  type FindFullHashesRequest,
  type FindFullHashesResponse,
  type FindThreatMatchesRequest,
  type FindThreatMatchesResponse,
  findFullHashes,
  findThreatMatches,
  type MetadataEntry,
  type ThreatEntry,
  type ThreatEntryMetadata,
  type ThreatInfo,
  type ThreatMatch,
} from "./matches.ts";
export {
  type ListThreatListsRequest,
  type ListThreatListsResponse,
  listThreatLists,
  V4_METHODS,
} from "./methods.ts";
export {
  type ClientInfo,
  type Constraints,
  type FetchThreatListUpdatesRequest,
  type FetchThreatListUpdatesResponse,
  fetchThreatListUpdates,
  type ListUpdateRequest,
  type ListUpdateResponse,
  type RiceDeltaEncoding,
  type ThreatEntrySet,
  type ThreatListDescriptor,
} from "./updates.ts";
