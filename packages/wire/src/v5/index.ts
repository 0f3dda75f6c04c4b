export type { HashLength, LikelySafeType, ThreatAttribute, ThreatType } from "./enums.ts";
export type {
  HashList,
  HashListMetadata,
  RiceDeltaEncoded32Bit,
  RiceDeltaEncoded64Bit,
  RiceDeltaEncoded128Bit,
  RiceDeltaEncoded256Bit,
} from "./hash-list.ts";
export {
  fromHashList,
  type HashListFacts,
  hashListsInOrder,
  toHashList,
} from "./hash-list-update.ts";
export {
  type BatchGetHashListsRequest,
  type BatchGetHashListsResponse,
  batchGetHashLists,
  type FoundHash,
  type FullHashDetail,
  type GetHashListRequest,
  getHashList,
  type ListHashListsRequest,
  type ListHashListsResponse,
  listHashLists,
  type SearchHashesRequest,
  type SearchHashesResponse,
  type SearchUrlsRequest,
  type SearchUrlsResponse,
  type SizeConstraints,
  searchHashes,
  searchUrls,
  type ThreatUrl,
  V5_METHODS,
} from "./methods.ts";
