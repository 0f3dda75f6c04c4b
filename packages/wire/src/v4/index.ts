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
export type {
  FindFullHashesRequest,
  FindFullHashesResponse,
  FindThreatMatchesRequest,
  FindThreatMatchesResponse,
  MetadataEntry,
  ThreatEntry,
  ThreatEntryMetadata,
  ThreatInfo,
  ThreatMatch,
} from "./match-messages.ts";
export {
  fetchThreatListUpdates,
  findFullHashes,
  findThreatMatches,
  type ListThreatListsRequest,
  type ListThreatListsResponse,
  listThreatLists,
  type ThreatListDescriptor,
  V4_METHODS,
} from "./methods.ts";
export type {
  Checksum,
  ClientInfo,
  Constraints,
  FetchThreatListUpdatesRequest,
  FetchThreatListUpdatesResponse,
  ListUpdateRequest,
  ListUpdateResponse,
  RawHashesMessage,
  RawIndices,
  RiceDeltaEncoding,
  ThreatEntrySet,
} from "./update-messages.ts";
