import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { Method } from "../http/method.ts";
import {
  bytes,
  duration,
  int32,
  type MessageType,
  many,
  message,
  oneName,
  type Problem,
  string,
} from "../message/message-type.ts";
import {
  type BatchGetHashListsResponse,
  type HashList,
  hashList,
  THREAT_ATTRIBUTES,
  THREAT_TYPES,
  type ThreatAttribute,
  type ThreatType,
} from "./hash-list.ts";

/** The maximum numbers of entries that a client wants. 0 means no limit. */
export interface SizeConstraints {
  /** The limit for one update, which is 0 or at least 1024. */
  readonly maxUpdateEntries: number;
  /** The limit for the client's list. */
  readonly maxDatabaseEntries: number;
}

const sizeConstraints: MessageType<SizeConstraints> = {
  fields: { maxUpdateEntries: int32(1), maxDatabaseEntries: int32(2) },
  check({ maxUpdateEntries, maxDatabaseEntries }): Problem | null {
    if (maxUpdateEntries !== 0 && maxUpdateEntries < MIN_UPDATE_ENTRIES) {
      return ["constraint-invalid", "maxUpdateEntries"];
    }
    return maxDatabaseEntries < 0 ? ["constraint-invalid", "maxDatabaseEntries"] : null;
  },
};

/** A request for the updates of several lists. */
interface BatchGetHashListsRequest {
  readonly names: readonly string[];
  /** The versions that the client has, in any order. A version does not say which list it belongs to. */
  readonly version: readonly Uint8Array[];
  readonly sizeConstraints: SizeConstraints | null;
}

/** A request for the update of one list. */
interface GetHashListRequest {
  readonly name: string;
  /** The version of the client's list; empty when the client has no list. */
  readonly version: Uint8Array;
  readonly sizeConstraints: SizeConstraints | null;
}

/** A request for the names and metadata of the available lists. */
interface ListHashListsRequest {
  readonly pageSize: number;
  readonly pageToken: string;
}

/** The available lists: their names and metadata, without contents. */
interface ListHashListsResponse {
  readonly hashLists: readonly HashList[];
  /** The `pageToken` for the next page; empty on the last page. */
  readonly nextPageToken: string;
}

/** A request for the full hashes that begin with one of up to 1000 hash prefixes of four bytes. */
export interface SearchHashesRequest {
  readonly hashPrefixes: readonly Uint8Array[];
}

/** One reason why a full hash is listed. Details without a type, or with an unknown type or attribute, are skipped. */
export interface FullHashDetail {
  readonly threatType: ThreatType | null;
  readonly attributes: readonly ThreatAttribute[];
}

const fullHashDetail: MessageType<FullHashDetail> = {
  fields: { threatType: oneName(1, THREAT_TYPES), attributes: many(oneName(2, THREAT_ATTRIBUTES)) },
  knownOnly: true,
  check: ({ threatType }): Problem | null =>
    threatType === null ? ["value-invalid", "threatType"] : null,
};

/** A full hash found in a list. */
export interface FoundHash {
  readonly fullHash: Uint8Array;
  readonly fullHashDetails: readonly FullHashDetail[];
}

const foundHash: MessageType<FoundHash> = {
  fields: { fullHash: bytes(1), fullHashDetails: many(message(2, fullHashDetail)) },
  check: ({ fullHash }): Problem | null =>
    fullHash.length === FULL_HASH_BYTES ? null : ["hash-length-wrong", "fullHash"],
};

/** The full hashes found. */
export interface SearchHashesResponse {
  readonly fullHashes: readonly FoundHash[];
  /** The time for which clients may cache the answer on each requested hash prefix, found or not, in milliseconds. */
  readonly cacheDuration: number | null;
}

/** A request to check URLs, which the server therefore learns. */
interface SearchUrlsRequest {
  /** At most 50 URLs. */
  readonly urls: readonly string[];
}

/** A listed expression of a requested URL. */
export interface ThreatUrl {
  /** The expression, without a scheme: `"evil.example/"`. */
  readonly url: string;
  readonly threatTypes: readonly ThreatType[];
}

const threatUrl: MessageType<ThreatUrl> = {
  fields: { url: string(1), threatTypes: many(oneName(2, THREAT_TYPES)) },
};

/** The threats found. One URL can have several, and one threat can belong to several URLs. */
export interface SearchUrlsResponse {
  readonly threats: readonly ThreatUrl[];
  /** The time for which clients may cache the answer on each requested URL, found or not, in milliseconds. */
  readonly cacheDuration: number | null;
}

/**
 * Fetches the updates of several lists.
 *
 * @see google.security.safebrowsing.v5.SafeBrowsing.BatchGetHashLists
 */
export const batchGetHashLists: Method<
  "v5.hashLists.batchGet",
  BatchGetHashListsRequest,
  BatchGetHashListsResponse
> = {
  name: "v5.hashLists.batchGet",
  httpMethod: "GET",
  path: "/v5/hashLists:batchGet",
  answer: "protobuf",
  request: {
    fields: {
      names: many(string(1)),
      version: many(bytes(2)),
      sizeConstraints: message(4, sizeConstraints),
    },
    check({ names }): Problem | null {
      if (names.length === 0 || names.includes("")) return ["names-missing", "names"];
      return new Set(names).size < names.length ? ["name-repeated", "names"] : null;
    },
  },
  response: { fields: { hashLists: many(message(1, hashList)) } },
};

/**
 * Fetches the update of one list.
 *
 * @see google.security.safebrowsing.v5.SafeBrowsing.GetHashList
 */
export const getHashList: Method<"v5.hashList.get", GetHashListRequest, HashList> = {
  name: "v5.hashList.get",
  httpMethod: "GET",
  path: "/v5/hashList/",
  pathField: "name",
  answer: "protobuf",
  request: {
    fields: { name: string(1), version: bytes(2), sizeConstraints: message(4, sizeConstraints) },
    check: ({ name }): Problem | null => (name === "" ? ["names-missing", "name"] : null),
  },
  response: hashList,
};

/**
 * Fetches the names and metadata of the available lists.
 *
 * @see google.security.safebrowsing.v5.SafeBrowsing.ListHashLists
 */
export const listHashLists: Method<
  "v5.hashLists.list",
  ListHashListsRequest,
  ListHashListsResponse
> = {
  name: "v5.hashLists.list",
  httpMethod: "GET",
  path: "/v5/hashLists",
  answer: "protobuf",
  request: { fields: { pageSize: int32(1), pageToken: string(2) } },
  response: { fields: { hashLists: many(message(1, hashList)), nextPageToken: string(2) } },
};

/**
 * Finds the full hashes that begin with given hash prefixes.
 *
 * @see google.security.safebrowsing.v5.SafeBrowsing.SearchHashes
 */
export const searchHashes: Method<"v5.hashes.search", SearchHashesRequest, SearchHashesResponse> = {
  name: "v5.hashes.search",
  httpMethod: "GET",
  path: "/v5/hashes:search",
  answer: "protobuf",
  request: {
    fields: { hashPrefixes: many(bytes(1)) },
    check({ hashPrefixes }): Problem | null {
      if (hashPrefixes.length === 0) return ["prefixes-missing", "hashPrefixes"];
      if (hashPrefixes.length > MAX_SEARCHED_PREFIXES) return ["too-many-prefixes", "hashPrefixes"];
      const areFour = hashPrefixes.every(({ length }) => length === SEARCHED_PREFIX_BYTES);
      return areFour ? null : ["hash-length-wrong", "hashPrefixes"];
    },
  },
  response: { fields: { fullHashes: many(message(1, foundHash)), cacheDuration: duration(2) } },
};

/**
 * Checks which URLs are listed. This method is the successor of `threatMatches.find` in v4.
 *
 * Unknown parameters are an error: they may be the end of a URL that was not escaped.
 *
 * @see google.security.safebrowsing.v5.SafeBrowsing.SearchUrls
 */
export const searchUrls: Method<"v5.urls.search", SearchUrlsRequest, SearchUrlsResponse> = {
  name: "v5.urls.search",
  httpMethod: "GET",
  path: "/v5/urls:search",
  refusesUnknown: true,
  answer: "protobuf",
  request: {
    fields: { urls: many(string(1)) },
    check({ urls }): Problem | null {
      if (urls.length === 0) return ["urls-missing", "urls"];
      return urls.length > MAX_SEARCHED_URLS ? ["too-many-urls", "urls"] : null;
    },
  },
  response: { fields: { threats: many(message(1, threatUrl)), cacheDuration: duration(2) } },
};

/** The methods of Safe Browsing v5. */
export const V5_METHODS: readonly [
  typeof batchGetHashLists,
  typeof getHashList,
  typeof listHashLists,
  typeof searchHashes,
  typeof searchUrls,
] = [batchGetHashLists, getHashList, listHashLists, searchHashes, searchUrls];

/** The smallest limit that a client may set for the entries of one update, apart from 0. */
const MIN_UPDATE_ENTRIES = 1024;

/** The maximum number of prefixes in one search for full hashes. */
const MAX_SEARCHED_PREFIXES = 1000;

/** The length of the prefixes in such a search. */
const SEARCHED_PREFIX_BYTES = 4;

/** The maximum number of URLs in one search for URLs. */
const MAX_SEARCHED_URLS = 50;
