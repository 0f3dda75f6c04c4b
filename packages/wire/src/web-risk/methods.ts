import type { EntryLimit } from "@x/prefix-list";
import type { RiceDeltas } from "@x/prefix-list/rice";
import { FULL_HASH_BYTES, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { WireError } from "../error.ts";
import type { Method } from "../http/method.ts";
import {
  type Checksum,
  type ListUpdate,
  type RawHashesMessage,
  type RawIndices,
  readParts,
  writeParts,
} from "../list-update.ts";
import {
  bytes,
  int32,
  int64,
  type MessageType,
  many,
  message,
  oneName,
  type Problem,
  string,
  timestamp,
} from "../message/message-type.ts";

const THREAT_TYPES = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  SOCIAL_ENGINEERING_EXTENDED_COVERAGE: 4,
} as const;

/** The kind of threat of a listed URL. */
export type ThreatType = keyof typeof THREAT_TYPES;

const COMPRESSION_TYPES = { RAW: 1, RICE: 2 } as const;

export type CompressionType = keyof typeof COMPRESSION_TYPES;

const RESPONSE_TYPES = { DIFF: 1, RESET: 2 } as const;

type ResponseType = keyof typeof RESPONSE_TYPES;

/* The method `threatLists.computeDiff` and its messages. */

/** The maximum sizes of an update and of the client's list (0 for no limit), and the supported compressions. */
interface Constraints {
  readonly maxDiffEntries: number;
  readonly maxDatabaseEntries: number;
  readonly supportedCompressions: readonly CompressionType[];
}

const constraints: MessageType<Constraints> = {
  fields: {
    maxDiffEntries: int32(1),
    maxDatabaseEntries: int32(2),
    supportedCompressions: many(oneName(3, COMPRESSION_TYPES)),
  },
  check({ maxDiffEntries, maxDatabaseEntries }): Problem | null {
    if (maxDiffEntries < 0) return ["constraint-invalid", "maxDiffEntries"];
    return maxDatabaseEntries < 0 ? ["constraint-invalid", "maxDatabaseEntries"] : null;
  },
};

/** A request for the update of one list. */
interface ComputeThreatListDiffRequest {
  readonly threatType: ThreatType | null;
  /** The `newVersionToken` of the last answer; empty before the first answer. */
  readonly versionToken: Uint8Array;
  readonly constraints: Constraints | null;
}

/** Ascending 32-bit numbers: the first one, and the coded difference from each one to the next. */
export interface RiceDeltaEncoding {
  readonly firstValue: number;
  readonly riceParameter: number;
  /** The number of coded differences: one less than the count of numbers. */
  readonly entryCount: number;
  readonly encodedData: Uint8Array;
}

const riceDeltaEncoding: MessageType<RiceDeltaEncoding> = {
  fields: {
    firstValue: int64(1),
    riceParameter: int32(2),
    entryCount: int32(3),
    encodedData: bytes(4),
  },
};

/** Entries to add. */
interface ThreatEntryAdditions {
  readonly rawHashes: readonly RawHashesMessage[];
  readonly riceHashes: RiceDeltaEncoding | null;
}

const additions: MessageType<ThreatEntryAdditions> = {
  fields: {
    rawHashes: many(
      message<RawHashesMessage>(1, {
        fields: { prefixSize: int32(1), rawHashes: bytes(2) },
      }),
    ),
    riceHashes: message(2, riceDeltaEncoding),
  },
};

/** Entries to remove. */
interface ThreatEntryRemovals {
  readonly rawIndices: RawIndices | null;
  readonly riceIndices: RiceDeltaEncoding | null;
}

const removals: MessageType<ThreatEntryRemovals> = {
  fields: {
    rawIndices: message<RawIndices>(1, { fields: { indices: many(int32(1)) } }),
    riceIndices: message(2, riceDeltaEncoding),
  },
};

/** A whole list, or the changes from one version of it to the next. */
export interface ComputeThreatListDiffResponse {
  readonly responseType: ResponseType | null;
  readonly additions: ThreatEntryAdditions | null;
  readonly removals: ThreatEntryRemovals | null;
  /** A token that is opaque to the client. */
  readonly newVersionToken: Uint8Array;
  readonly checksum: Checksum | null;
  /** The time of the next request, in milliseconds since 1970-01-01T00:00Z. */
  readonly recommendedNextDiff: number | null;
}

/**
 * Fetches the update of one list.
 *
 * @see google.cloud.webrisk.v1.WebRiskService.ComputeThreatListDiff
 */
export const computeThreatListDiff: Method<
  "webRisk.threatLists.computeDiff",
  ComputeThreatListDiffRequest,
  ComputeThreatListDiffResponse
> = {
  name: "webRisk.threatLists.computeDiff",
  httpMethod: "GET",
  path: "/v1/threatLists:computeDiff",
  answer: "json",
  request: {
    fields: {
      threatType: oneName(1, THREAT_TYPES),
      versionToken: bytes(2),
      constraints: message(3, constraints),
    },
  },
  response: {
    fields: {
      responseType: oneName(4, RESPONSE_TYPES),
      additions: message(5, additions),
      removals: message(6, removals),
      newVersionToken: bytes(7),
      checksum: message<Checksum>(8, { fields: { sha256: bytes(1) } }),
      recommendedNextDiff: timestamp(2),
    },
  },
};

/** The information that a message needs besides the update. */
interface ThreatListDiffFacts
  extends Pick<ComputeThreatListDiffResponse, "newVersionToken" | "recommendedNextDiff"> {
  /** The compressions that the client supports. Without `"RICE"`, everything is sent raw. */
  readonly supportedCompressions?: readonly CompressionType[] | undefined;
}

function toRice({ entriesCount, ...coded }: RiceDeltas): RiceDeltaEncoding {
  return { ...coded, entryCount: entriesCount };
}

function fromRice({ entryCount, ...coded }: RiceDeltaEncoding): RiceDeltas {
  return { ...coded, entriesCount: entryCount };
}

/**
 * Makes the message for an update of a list.
 *
 * Removals and four-byte hash prefixes are Rice-coded if the client supports it; longer hash prefixes are sent raw.
 *
 * @throws {WireError} `additions-overlap` when a hash prefix begins with another one, which no client
 * accepts; `full-update-removes` or `checksum-missing` when the update contradicts itself.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullUpdate } from "@x/wire";
 * import { toThreatListDiff } from "@x/wire/web-risk";
 *
 * const message = toThreatListDiff(fullUpdate(prefixList([Uint8Array.of(5, 0, 0, 0)])), {
 *   newVersionToken: Uint8Array.of(1),
 *   recommendedNextDiff: Date.UTC(2026, 10, 22),
 * });
 * message.additions?.rawHashes; // → [{ prefixSize: 4, rawHashes: Uint8Array.of(5, 0, 0, 0) }]
 * ```
 * @see google.cloud.webrisk.v1.ComputeThreatListDiffResponse
 */
export function toThreatListDiff(
  update: ListUpdate,
  facts: ThreatListDiffFacts,
): ComputeThreatListDiffResponse {
  const parts = writeParts(update, facts.supportedCompressions);
  const { rawHashes, checksum } = parts;
  const [riceHashes = null] = parts.riceHashes.map(toRice);
  const [rawIndices = null] = parts.rawIndices;
  const [riceIndices = null] = parts.riceIndices.map(toRice);
  return {
    responseType: update.full ? "RESET" : "DIFF",
    additions: update.additions.length === 0 ? null : { rawHashes, riceHashes },
    removals: update.removals.length === 0 ? null : { rawIndices, riceIndices },
    newVersionToken: facts.newVersionToken,
    checksum,
    recommendedNextDiff: facts.recommendedNextDiff,
  };
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the update breaks a rule, or has too many entries.
 * @example
 * ```ts
 * import { decodeJson } from "@x/wire";
 * import { computeThreatListDiff, fromThreatListDiff } from "@x/wire/web-risk";
 *
 * const message = decodeJson(computeThreatListDiff.response, '{"responseType": "DIFF"}');
 * fromThreatListDiff(message).full; // → false
 * ```
 * @see google.cloud.webrisk.v1.ComputeThreatListDiffResponse
 */
export function fromThreatListDiff(
  response: ComputeThreatListDiffResponse,
  limit: EntryLimit = {},
): ListUpdate {
  const { responseType, additions, removals, checksum } = response;
  if (responseType === null) throw new WireError("response-type-missing", "responseType");
  const parts = {
    rawHashes: additions?.rawHashes ?? [],
    riceHashes: additions?.riceHashes ? [fromRice(additions.riceHashes)] : [],
    rawIndices: removals?.rawIndices ? [removals.rawIndices] : [],
    riceIndices: removals?.riceIndices ? [fromRice(removals.riceIndices)] : [],
    checksum,
  };
  return readParts(parts, responseType === "RESET", limit);
}

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
