import type { EntryLimit } from "@x/prefix-list";
import type { RiceDeltas } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";
import type { ListUpdate } from "../list-update/list-update.ts";
import { readParts, writeParts } from "../list-update/raw-or-rice.ts";
import type { ComputeThreatListDiffResponse, RiceDeltaEncoding } from "./diffs.ts";
import type { CompressionType } from "./enums.ts";

/** The information that a message needs besides the update. */
export interface ThreatListDiffFacts
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
