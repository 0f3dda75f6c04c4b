import type { EntryLimit } from "@x/prefix-list";
import type { RiceDeltas } from "@x/prefix-list/rice";
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
 * The method `threatListUpdates.fetch` and its messages. Some fields are written even when they are zero, because
 * proto2 readers expect them.
 */

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
interface Constraints {
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
interface FetchThreatListUpdatesRequest {
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
interface ThreatEntrySet {
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
interface FetchThreatListUpdatesResponse {
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

/** The information that a message needs besides the update. */
interface ListUpdateFacts extends ThreatListDescriptor, Pick<ListUpdateResponse, "newClientState"> {
  /** The compressions that the client supports. Without `"RICE"`, everything is sent raw. */
  readonly supportedCompressions?: readonly CompressionType[] | undefined;
}

const NO_FORM = { rawHashes: null, rawIndices: null, riceHashes: null, riceIndices: null };

function toRice({ entriesCount, ...coded }: RiceDeltas): RiceDeltaEncoding {
  return { ...coded, numEntries: entriesCount };
}

function fromRice({ numEntries, ...coded }: RiceDeltaEncoding): RiceDeltas {
  return { ...coded, entriesCount: numEntries };
}

function setOf(compressionType: CompressionType, form: Partial<ThreatEntrySet>): ThreatEntrySet {
  return { ...NO_FORM, ...form, compressionType };
}

/**
 * Makes the message for an update of a list.
 *
 * Hash prefixes of four bytes and removals are Rice coded if the client supports it; longer hash prefixes are sent raw.
 *
 * @throws {WireError} `additions-overlap` when a hash prefix begins with another one, which no client
 * accepts; `full-update-removes` or `checksum-missing` when the update contradicts itself.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullUpdate } from "@x/wire";
 * import { toListUpdateResponse } from "@x/wire/v4";
 *
 * const message = toListUpdateResponse(fullUpdate(prefixList([Uint8Array.of(5, 0, 0, 0)])), {
 *   threatType: "MALWARE",
 *   platformType: "ANY_PLATFORM",
 *   threatEntryType: "URL",
 *   newClientState: Uint8Array.of(1),
 *   supportedCompressions: ["RICE"],
 * });
 * message.additions[0]?.riceHashes?.firstValue; // → 5
 * ```
 * @see Safe Browsing v4, Update API, `ListUpdateResponse`
 */
export function toListUpdateResponse(
  update: ListUpdate,
  facts: ListUpdateFacts,
): ListUpdateResponse {
  const { threatType, platformType, threatEntryType, newClientState } = facts;
  const { rawHashes, riceHashes, rawIndices, riceIndices, checksum } = writeParts(
    update,
    facts.supportedCompressions,
  );
  return {
    threatType,
    threatEntryType,
    platformType,
    responseType: update.full ? "FULL_UPDATE" : "PARTIAL_UPDATE",
    additions: [
      ...riceHashes.map((coded) => setOf("RICE", { riceHashes: toRice(coded) })),
      ...rawHashes.map((group) => setOf("RAW", { rawHashes: group })),
    ],
    removals: [
      ...riceIndices.map((coded) => setOf("RICE", { riceIndices: toRice(coded) })),
      ...rawIndices.map((indices) => setOf("RAW", { rawIndices: indices })),
    ],
    newClientState,
    checksum,
  };
}

/** Throws unless a set has exactly the field that belongs to its compression. */
function checkForm(
  set: ThreatEntrySet,
  raw: keyof ThreatEntrySet,
  rice: keyof ThreatEntrySet,
): void {
  const wanted = set.compressionType === "RAW" ? raw : set.compressionType === "RICE" ? rice : null;
  const present = Object.keys(NO_FORM).filter((name) => set[name as keyof ThreatEntrySet] !== null);
  if (present.length !== 1 || present[0] !== wanted) throw new WireError("compression-wrong");
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the update breaks a rule, or has too many entries.
 * @example
 * ```ts
 * import { decodeJson } from "@x/wire";
 * import { fetchThreatListUpdates, fromListUpdateResponse } from "@x/wire/v4";
 *
 * const json = '{"listUpdateResponses": [{"responseType": "PARTIAL_UPDATE"}]}';
 * const [first] = decodeJson(fetchThreatListUpdates.response, json).listUpdateResponses;
 * first && fromListUpdateResponse(first).full; // → false
 * ```
 * @see Safe Browsing v4, Update API, `ListUpdateResponse`
 */
export function fromListUpdateResponse(
  response: ListUpdateResponse,
  limit: EntryLimit = {},
): ListUpdate {
  const { responseType, additions, removals, checksum } = response;
  if (responseType === null) throw new WireError("response-type-missing", "responseType");
  for (const set of additions) checkForm(set, "rawHashes", "riceHashes");
  for (const set of removals) checkForm(set, "rawIndices", "riceIndices");
  const parts = {
    rawHashes: additions.flatMap(({ rawHashes }) => rawHashes ?? []),
    riceHashes: additions.flatMap(({ riceHashes }) => (riceHashes ? fromRice(riceHashes) : [])),
    rawIndices: removals.flatMap(({ rawIndices }) => rawIndices ?? []),
    riceIndices: removals.flatMap(({ riceIndices }) => (riceIndices ? fromRice(riceIndices) : [])),
    checksum,
  };
  return readParts(parts, responseType === "FULL_UPDATE", limit);
}

function isSameList(asked: ThreatListDescriptor, answered: ThreatListDescriptor): boolean {
  return (
    asked.threatType === answered.threatType &&
    asked.platformType === answered.platformType &&
    asked.threatEntryType === answered.threatEntryType
  );
}

/**
 * Returns the updates in an answer, after checking that they are for the requested lists in the requested order.
 *
 * @throws {WireError} `lists-mismatched` when the updates are for other lists or in another order.
 * @example
 * ```ts
 * import { listUpdatesInOrder } from "@x/wire/v4";
 *
 * const answer = { listUpdateResponses: [], minimumWaitDuration: null };
 * listUpdatesInOrder({ client: null, listUpdateRequests: [] }, answer); // → []
 * ```
 */
export function listUpdatesInOrder(
  request: FetchThreatListUpdatesRequest,
  response: FetchThreatListUpdatesResponse,
): readonly ListUpdateResponse[] {
  const { listUpdateRequests: asked } = request;
  const { listUpdateResponses: answered } = response;
  const isInOrder =
    asked.length === answered.length && asked.every((each, i) => isSameList(each, answered[i]!));
  if (!isInOrder) throw new WireError("lists-mismatched", "listUpdateResponses");
  return answered;
}
