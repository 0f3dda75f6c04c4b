import type { EntryLimit, RawHashes } from "@x/prefix-list";
import { maxEntriesOf } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";
import { checkOverlap, combineGroups, readGroup } from "../list-update/additions.ts";
import { checkEntries } from "../list-update/entry-limit.ts";
import {
  checkUpdate,
  type ListUpdate,
  readChecksum,
  writeChecksum,
} from "../list-update/list-update.ts";
import { combineRemovals } from "../list-update/removals.ts";
import { fromLittleEndian, toLittleEndian } from "../rice/byte-order.ts";
import { decodeV4Values, encodeV4Values } from "../rice/little-endian.ts";
import type { CompressionType } from "./enums.ts";
import type {
  FetchThreatListUpdatesRequest,
  FetchThreatListUpdatesResponse,
  ListUpdateRequest,
  ListUpdateResponse,
  RiceDeltaEncoding,
  ThreatEntrySet,
} from "./update-messages.ts";

/** The fields of a message other than the contents of the list. */
export interface ListUpdateFacts
  extends Pick<
    ListUpdateResponse,
    "threatType" | "platformType" | "threatEntryType" | "newClientState"
  > {
  /** The forms that the client supports; only raw by default, or if empty. */
  readonly supportedCompressions?: readonly CompressionType[] | undefined;
}

const NO_FORM = { rawHashes: null, rawIndices: null, riceHashes: null, riceIndices: null };

function rice(values: Uint32Array): RiceDeltaEncoding {
  const { entriesCount, ...coded } = encodeV4Values(values);
  return { ...coded, numEntries: entriesCount };
}

function encodeGroup({ prefixBytes, rawHashes }: RawHashes, hasRice: boolean): ThreatEntrySet {
  if (hasRice && prefixBytes === 4) {
    const riceHashes = rice(toLittleEndian(rawHashes));
    return { ...NO_FORM, compressionType: "RICE", riceHashes };
  }
  return {
    ...NO_FORM,
    compressionType: "RAW",
    rawHashes: { prefixSize: prefixBytes, rawHashes },
  };
}

function encodeRemovals(removals: Uint32Array, hasRice: boolean): ThreatEntrySet {
  if (hasRice) return { ...NO_FORM, compressionType: "RICE", riceIndices: rice(removals) };
  return { ...NO_FORM, compressionType: "RAW", rawIndices: { indices: Array.from(removals) } };
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
  checkUpdate(update);
  const { full, removals, additions, checksum } = update;
  const { threatType, platformType, threatEntryType, newClientState } = facts;
  const hasRice = facts.supportedCompressions?.includes("RICE") ?? false;
  checkOverlap(additions);
  return {
    threatType,
    threatEntryType,
    platformType,
    responseType: full ? "FULL_UPDATE" : "PARTIAL_UPDATE",
    additions: additions.map((group) => encodeGroup(group, hasRice)),
    removals: removals.length === 0 ? [] : [encodeRemovals(removals, hasRice)],
    newClientState,
    checksum: checksum === null ? null : { sha256: writeChecksum(checksum) },
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

function values(
  { numEntries, ...coded }: RiceDeltaEncoding,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  return decodeV4Values({ ...coded, entriesCount: numEntries }, maxEntries, repeated);
}

function decodeAdditions(set: ThreatEntrySet, maxEntries: number): RawHashes {
  checkForm(set, "rawHashes", "riceHashes");
  if (set.rawHashes !== null) return readGroup(set.rawHashes.prefixSize, set.rawHashes.rawHashes);
  return {
    prefixBytes: 4,
    rawHashes: fromLittleEndian(values(set.riceHashes!, maxEntries, "additions-unordered")),
  };
}

function decodeRemovals(set: ThreatEntrySet, maxEntries: number): ArrayLike<number> {
  checkForm(set, "rawIndices", "riceIndices");
  return set.rawIndices?.indices ?? values(set.riceIndices!, maxEntries, "removals-wrong");
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the message contradicts itself.
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
  const maxEntries = maxEntriesOf(limit);
  if (response.responseType === null) throw new WireError("response-type-missing", "responseType");
  const checksum = readChecksum(response.checksum?.sha256 ?? new Uint8Array(0));
  const groups = response.additions.map((set) => decodeAdditions(set, maxEntries));
  checkEntries(groups, maxEntries);
  return checkUpdate({
    full: response.responseType === "FULL_UPDATE",
    removals: combineRemovals(response.removals.map((set) => decodeRemovals(set, maxEntries))),
    additions: combineGroups(groups),
    checksum,
  });
}

function isSameList(asked: ListUpdateRequest, answered: ListUpdateResponse): boolean {
  return (
    asked.threatType === answered.threatType &&
    asked.platformType === answered.platformType &&
    asked.threatEntryType === answered.threatEntryType
  );
}

/**
 * Returns the updates in an answer, after checking that they are for the requested lists in the requested order.
 *
 * @throws {WireError} `lists-mismatched` when they are not.
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
