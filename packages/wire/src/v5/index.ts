export type { HashLength, HashList, ThreatAttribute, ThreatType } from "./hash-list.ts";
export {
  fromHashList,
  type HashListFacts,
  hashListsInOrder,
  toHashList,
} from "./hash-list-update.ts";
export {
  type BatchGetHashListsResponse,
  batchGetHashLists,
  type FoundHash,
  type FullHashDetail,
  getHashList,
  listHashLists,
  type SearchHashesRequest,
  type SearchHashesResponse,
  type SearchUrlsResponse,
  type SizeConstraints,
  searchHashes,
  searchUrls,
  type ThreatUrl,
  V5_METHODS,
} from "./methods.ts";
