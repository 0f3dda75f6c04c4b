/** The method `threatLists.computeDiff` and its messages. */

import type { Method } from "../http/method.ts";
import type { Checksum, RawHashesMessage, RawIndices } from "../list-update/raw-or-rice.ts";
import {
  bytes,
  int32,
  int64,
  many,
  message,
  oneName,
  timestamp,
} from "../message/define-fields.ts";
import type { MessageType, Problem } from "../message/message-type.ts";
import {
  COMPRESSION_TYPES,
  type CompressionType,
  RESPONSE_TYPES,
  type ResponseType,
  THREAT_TYPES,
  type ThreatType,
} from "./enums.ts";

/** The maximum sizes of an update and of the client's list (0 for no limit), and the supported compressions. */
export interface Constraints {
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
export interface ComputeThreatListDiffRequest {
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
export interface ThreatEntryAdditions {
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
export interface ThreatEntryRemovals {
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
