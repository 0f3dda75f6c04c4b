import type { EntryLimit } from "@x/prefix-list";
import type { RiceDeltas } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";
import type { ListUpdate } from "../list-update.ts";
import { readParts, writeParts } from "../raw-or-rice.ts";
import type { CompressionType } from "./enums.ts";
import type {
  FetchThreatListUpdatesRequest,
  FetchThreatListUpdatesResponse,
  ListUpdateResponse,
  RiceDeltaEncoding,
  ThreatEntrySet,
  ThreatListDescriptor,
} from "./updates.ts";

/** The information that a message needs besides the update. */
export interface ListUpdateFacts
  extends ThreatListDescriptor,
    Pick<ListUpdateResponse, "newClientState"> {
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
