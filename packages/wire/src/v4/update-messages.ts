/** The messages of `threatListUpdates.fetch`, with the zeros that proto2 readers expect. */

import type { MessageType, Problem } from "../message/field.ts";
import {
  bytes,
  duration,
  explicit,
  int32,
  int32s,
  int64,
  manyNames,
  message,
  messages,
  nameOrNumber,
  oneName,
  string,
} from "../message/table.ts";
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

/** The program that sends the request. */
export interface ClientInfo {
  readonly clientId: string;
  readonly clientVersion: string;
}

export const clientInfo: MessageType<ClientInfo> = {
  fields: { clientId: string(1), clientVersion: string(2) },
};

/** The most entries that a client wants, 0 for any number, and the forms it supports. */
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
    supportedCompressions: manyNames(4, COMPRESSION_TYPES, { unpacked: true }),
  },
  check({ maxUpdateEntries, maxDatabaseEntries }): Problem | null {
    if (maxUpdateEntries < 0) return ["constraint-invalid", "maxUpdateEntries"];
    return maxDatabaseEntries < 0 ? ["constraint-invalid", "maxDatabaseEntries"] : null;
  },
};

/** Asks for the update of one list. A type without a name stays a number, because the answer repeats it. */
export interface ListUpdateRequest {
  readonly threatType: ThreatType | number | null;
  readonly platformType: PlatformType | number | null;
  readonly threatEntryType: ThreatEntryType | number | null;
  /** The state from the last answer; empty when there was no answer yet. */
  readonly state: Uint8Array;
  readonly constraints: Constraints | null;
}

const listUpdateRequest: MessageType<ListUpdateRequest> = {
  fields: {
    threatType: explicit(nameOrNumber(1, THREAT_TYPES)),
    platformType: explicit(nameOrNumber(2, PLATFORM_TYPES)),
    threatEntryType: explicit(nameOrNumber(5, THREAT_ENTRY_TYPES)),
    state: bytes(3),
    constraints: message(4, constraints),
  },
};

/** Asks for the updates of several lists. */
export interface FetchThreatListUpdatesRequest {
  readonly client: ClientInfo | null;
  readonly listUpdateRequests: readonly ListUpdateRequest[];
}

export const fetchRequest: MessageType<FetchThreatListUpdatesRequest> = {
  fields: {
    client: message(1, clientInfo),
    listUpdateRequests: messages(3, listUpdateRequest),
  },
};

/** Hash prefixes of one length, one after the other. */
export interface RawHashesMessage {
  readonly prefixSize: number;
  readonly rawHashes: Uint8Array;
}

const rawHashes: MessageType<RawHashesMessage> = {
  fields: { prefixSize: explicit(int32(1)), rawHashes: explicit(bytes(2)) },
};

/** Removal indices. */
export interface RawIndices {
  readonly indices: readonly number[];
}

const rawIndices: MessageType<RawIndices> = {
  fields: { indices: int32s(1, { unpacked: true }) },
};

/** Ascending 32-bit numbers, as the first one and coded differences. */
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

/** The SHA-256 of all entries of a list. */
export interface Checksum {
  readonly sha256: Uint8Array;
}

const checksum: MessageType<Checksum> = { fields: { sha256: explicit(bytes(1)) } };

/** A whole list, or the changes from one version of it to the next. */
export interface ListUpdateResponse {
  readonly threatType: ThreatType | number | null;
  readonly threatEntryType: ThreatEntryType | number | null;
  readonly platformType: PlatformType | number | null;
  readonly responseType: ResponseType | null;
  readonly additions: readonly ThreatEntrySet[];
  readonly removals: readonly ThreatEntrySet[];
  /** Opaque to the client. */
  readonly newClientState: Uint8Array;
  readonly checksum: Checksum | null;
}

const listUpdateResponse: MessageType<ListUpdateResponse> = {
  fields: {
    threatType: explicit(nameOrNumber(1, THREAT_TYPES)),
    threatEntryType: explicit(nameOrNumber(2, THREAT_ENTRY_TYPES)),
    platformType: explicit(nameOrNumber(3, PLATFORM_TYPES)),
    responseType: explicit(oneName(4, RESPONSE_TYPES)),
    additions: messages(5, threatEntrySet),
    removals: messages(6, threatEntrySet),
    newClientState: explicit(bytes(7)),
    checksum: message(8, checksum),
  },
};

/** One update for each list of the request, in the same order; `listUpdatesInOrder` checks this. */
export interface FetchThreatListUpdatesResponse {
  readonly listUpdateResponses: readonly ListUpdateResponse[];
  /** How long to wait before the next update request, in milliseconds. */
  readonly minimumWaitDuration: number | null;
}

export const fetchResponse: MessageType<FetchThreatListUpdatesResponse> = {
  fields: {
    listUpdateResponses: messages(1, listUpdateResponse),
    minimumWaitDuration: duration(2),
  },
};
