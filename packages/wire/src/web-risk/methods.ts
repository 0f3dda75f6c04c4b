import { FULL_HASH_BYTES, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { Method } from "../http/method.ts";
import {
  bytes,
  type MessageType,
  many,
  message,
  oneName,
  type Problem,
  string,
  timestamp,
} from "../message/message-type.ts";
import { computeThreatListDiff, THREAT_TYPES, type ThreatType } from "./diffs.ts";

/** A request for the full hashes that begin with a hash prefix of 4 to 32 bytes. */
export interface SearchHashesRequest {
  readonly hashPrefix: Uint8Array;
  readonly threatTypes: readonly ThreatType[];
}

/** A full hash found in a list. */
export interface ThreatHash {
  readonly threatTypes: readonly ThreatType[];
  readonly hash: Uint8Array;
  /** The time until which clients may cache the full hash, in milliseconds since 1970-01-01T00:00Z. */
  readonly expireTime: number | null;
}

const threatHash: MessageType<ThreatHash> = {
  fields: { threatTypes: many(oneName(1, THREAT_TYPES)), hash: bytes(2), expireTime: timestamp(3) },
  check: ({ hash }): Problem | null =>
    hash.length === FULL_HASH_BYTES ? null : ["hash-length-wrong", "hash"],
};

/** The full hashes found. */
export interface SearchHashesResponse {
  readonly threats: readonly ThreatHash[];
  /**
   * The time until which clients may cache the fact that a hash prefix was not found, in milliseconds since
   * 1970-01-01T00:00Z.
   */
  readonly negativeExpireTime: number | null;
}

/** A request to check a URL, which the server therefore learns. */
export interface SearchUrisRequest {
  readonly uri: string;
  readonly threatTypes: readonly ThreatType[];
}

/** The threats for which a URL is listed. */
export interface ThreatUri {
  readonly threatTypes: readonly ThreatType[];
  /** The time until which clients may cache the threats, in milliseconds since 1970-01-01T00:00Z. */
  readonly expireTime: number | null;
}

/** Whether a URL is listed: `threat` is `null` when it is not. */
export interface SearchUrisResponse {
  readonly threat: ThreatUri | null;
}

/**
 * Finds the full hashes that begin with a given hash prefix.
 *
 * @see google.cloud.webrisk.v1.WebRiskService.SearchHashes
 */
export const searchHashes: Method<
  "webRisk.hashes.search",
  SearchHashesRequest,
  SearchHashesResponse
> = {
  name: "webRisk.hashes.search",
  httpMethod: "GET",
  path: "/v1/hashes:search",
  answer: "json",
  request: {
    fields: { hashPrefix: bytes(1), threatTypes: many(oneName(2, THREAT_TYPES)) },
    check({ hashPrefix: { length } }): Problem | null {
      if (length === 0) return ["prefixes-missing", "hashPrefix"];
      const isAllowed = length >= MIN_PREFIX_BYTES && length <= MAX_PREFIX_BYTES;
      return isAllowed ? null : ["hash-length-wrong", "hashPrefix"];
    },
  },
  response: { fields: { threats: many(message(1, threatHash)), negativeExpireTime: timestamp(2) } },
};

/**
 * Checks whether a URL is listed.
 *
 * @see google.cloud.webrisk.v1.WebRiskService.SearchUris
 */
export const searchUris: Method<"webRisk.uris.search", SearchUrisRequest, SearchUrisResponse> = {
  name: "webRisk.uris.search",
  httpMethod: "GET",
  path: "/v1/uris:search",
  refusesUnknown: true,
  answer: "json",
  request: { fields: { uri: string(1), threatTypes: many(oneName(2, THREAT_TYPES)) } },
  response: {
    fields: {
      threat: message<ThreatUri>(1, {
        fields: { threatTypes: many(oneName(1, THREAT_TYPES)), expireTime: timestamp(2) },
      }),
    },
  },
};

/** The methods of Web Risk v1. */
export const WEB_RISK_METHODS: readonly [
  typeof computeThreatListDiff,
  typeof searchHashes,
  typeof searchUris,
] = [computeThreatListDiff, searchHashes, searchUris];
