/**
 * The method `threatListUpdates.fetch` and its messages. Some fields are written even when they are zero, because
 * proto2 readers expect them.
 */

import type { Method } from "../http/method.ts";
import {
  bytes,
  duration,
  explicit,
  int32,
  int64,
  type MessageType,
  many,
  message,
  nameOrNumber,
  oneName,
  type Problem,
  string,
  unpacked,
} from "../message/message-type.ts";
import type { Checksum, RawHashesMessage, RawIndices } from "../raw-or-rice.ts";
import {
  COMPRESSION_TYPES,
  type CompressionType,
  PLATFORM_TYPES,
  type PlatformType,
  RESPONSE_TYPES,
  type ResponseType,
  THREAT_ENTRY_TYPES,
  THREAT_TYPES,
  type ThreatEntryType,
  type ThreatType,
} from "./enums.ts";

/**
 * The three types that name a list. A type without a known name is kept as a number, so that the answer can repeat it.
 */
export interface ThreatListDescriptor {
  readonly threatType: ThreatType | number | null;
  readonly platformType: PlatformType | number | null;
  readonly threatEntryType: ThreatEntryType | number | null;
}

/** The fields for the three types that name a list. Their numbers differ between messages. */
export function listTypes(
  numbers: Readonly<Record<keyof ThreatListDescriptor, number>>,
): MessageType<ThreatListDescriptor>["fields"] {
  return {
    threatType: explicit(nameOrNumber(numbers.threatType, THREAT_TYPES)),
    platformType: explicit(nameOrNumber(numbers.platformType, PLATFORM_TYPES)),
    threatEntryType: explicit(nameOrNumber(numbers.threatEntryType, THREAT_ENTRY_TYPES)),
  };
}

/** The program that sends the request. */
export interface ClientInfo {
  readonly clientId: string;
  readonly clientVersion: string;
}

export const clientInfo: MessageType<ClientInfo> = {
  fields: { clientId: string(1), clientVersion: string(2) },
};

/** The maximum sizes of an update and of the client's list (0 for no limit), and the supported compressions. */
export interface Constraints {
  readonly maxUpdateEntries: number;
  readonly maxDatabaseEntries: number;
  readonly region: string;
  readonly supportedCompressions: readonly CompressionType[];
}

const constraints: MessageType<Constraints> = {
  fields: {
    maxUpdateEntries: int32(1),
    maxDatabaseEntries: int32(2),
    region: string(3),
    supportedCompressions: unpacked(many(oneName(4, COMPRESSION_TYPES))),
  },
  check({ maxUpdateEntries, maxDatabaseEntries }): Problem | null {
    if (maxUpdateEntries < 0) return ["constraint-invalid", "maxUpdateEntries"];
    return maxDatabaseEntries < 0 ? ["constraint-invalid", "maxDatabaseEntries"] : null;
  },
};

/** A request for the update of one list. */
export interface ListUpdateRequest extends ThreatListDescriptor {
  /** The `newClientState` of the last answer; empty before the first answer. */
  readonly state: Uint8Array;
  readonly constraints: Constraints | null;
}

const listUpdateRequest: MessageType<ListUpdateRequest> = {
  fields: {
    ...listTypes({ threatType: 1, platformType: 2, threatEntryType: 5 }),
    state: bytes(3),
    constraints: message(4, constraints),
  },
};

/** A request for the updates of several lists. */
export interface FetchThreatListUpdatesRequest {
  readonly client: ClientInfo | null;
  readonly listUpdateRequests: readonly ListUpdateRequest[];
}

const rawHashes: MessageType<RawHashesMessage> = {
  fields: { prefixSize: explicit(int32(1)), rawHashes: explicit(bytes(2)) },
};

const rawIndices: MessageType<RawIndices> = {
  fields: { indices: unpacked(many(int32(1))) },
};

/** Ascending 32-bit numbers: the first one, and the coded difference from each one to the next. */
export interface RiceDeltaEncoding {
  readonly firstValue: number;
  readonly riceParameter: number;
  /** The number of coded differences: one less than the count of numbers. */
  readonly numEntries: number;
  readonly encodedData: Uint8Array;
}

const riceDeltaEncoding: MessageType<RiceDeltaEncoding> = {
  fields: {
    firstValue: explicit(int64(1)),
    riceParameter: explicit(int32(2)),
    numEntries: explicit(int32(3)),
    encodedData: explicit(bytes(4)),
  },
};

/** Entries to add or remove, in one of four forms. */
export interface ThreatEntrySet {
  readonly compressionType: CompressionType | null;
  readonly rawHashes: RawHashesMessage | null;
  readonly rawIndices: RawIndices | null;
  readonly riceHashes: RiceDeltaEncoding | null;
  readonly riceIndices: RiceDeltaEncoding | null;
}

const threatEntrySet: MessageType<ThreatEntrySet> = {
  fields: {
    compressionType: explicit(oneName(1, COMPRESSION_TYPES)),
    rawHashes: message(2, rawHashes),
    rawIndices: message(3, rawIndices),
    riceHashes: message(4, riceDeltaEncoding),
    riceIndices: message(5, riceDeltaEncoding),
  },
};

const checksum: MessageType<Checksum> = { fields: { sha256: explicit(bytes(1)) } };

/** A whole list, or the changes from one version of it to the next. */
export interface ListUpdateResponse extends ThreatListDescriptor {
  readonly responseType: ResponseType | null;
  readonly additions: readonly ThreatEntrySet[];
  readonly removals: readonly ThreatEntrySet[];
  /** A state that is opaque to the client. */
  readonly newClientState: Uint8Array;
  readonly checksum: Checksum | null;
}

const listUpdateResponse: MessageType<ListUpdateResponse> = {
  fields: {
    ...listTypes({ threatType: 1, threatEntryType: 2, platformType: 3 }),
    responseType: explicit(oneName(4, RESPONSE_TYPES)),
    additions: many(message(5, threatEntrySet)),
    removals: many(message(6, threatEntrySet)),
    newClientState: explicit(bytes(7)),
    checksum: message(8, checksum),
  },
};

/** One update for each list of the request, in the same order; `listUpdatesInOrder` checks this. */
export interface FetchThreatListUpdatesResponse {
  readonly listUpdateResponses: readonly ListUpdateResponse[];
  /** The time to wait before the next update request, in milliseconds. */
  readonly minimumWaitDuration: number | null;
}

/**
 * Fetches the updates of several lists.
 *
 * @see Safe Browsing v4, Update API, `threatListUpdates.fetch`
 */
export const fetchThreatListUpdates: Method<
  "v4.threatListUpdates.fetch",
  FetchThreatListUpdatesRequest,
  FetchThreatListUpdatesResponse
> = {
  name: "v4.threatListUpdates.fetch",
  httpMethod: "POST",
  path: "/v4/threatListUpdates:fetch",
  answer: "json",
  request: {
    fields: {
      client: message(1, clientInfo),
      listUpdateRequests: many(message(3, listUpdateRequest)),
    },
  },
  response: {
    fields: {
      listUpdateResponses: many(message(1, listUpdateResponse)),
      minimumWaitDuration: duration(2),
    },
  },
};
