import type { EntryLimit } from "@x/prefix-list";
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
import type {
  ComputeThreatListDiffResponse,
  RawHashesMessage,
  RiceDeltaEncoding,
} from "./diff-messages.ts";
import type { CompressionType } from "./enums.ts";

/** The fields of a message other than the contents of the list. */
export interface ThreatListDiffFacts
  extends Pick<ComputeThreatListDiffResponse, "newVersionToken" | "recommendedNextDiff"> {
  /** The forms that the client supports; only raw by default, or if empty. */
  readonly supportedCompressions?: readonly CompressionType[] | undefined;
}

function rice(values: Uint32Array): RiceDeltaEncoding {
  const { entriesCount, ...coded } = encodeV4Values(values);
  return { ...coded, entryCount: entriesCount };
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
  checkUpdate(update);
  const { full, removals, additions, checksum } = update;
  const hasRice = facts.supportedCompressions?.includes("RICE") ?? false;
  checkOverlap(additions);
  let riceHashes: RiceDeltaEncoding | null = null;
  const rawHashes: RawHashesMessage[] = [];
  for (const { prefixBytes, rawHashes: raw } of additions) {
    if (hasRice && prefixBytes === 4) riceHashes = rice(toLittleEndian(raw));
    else rawHashes.push({ prefixSize: prefixBytes, rawHashes: raw });
  }
  const indices = { indices: hasRice ? [] : Array.from(removals) };
  return {
    responseType: full ? "RESET" : "DIFF",
    additions: additions.length === 0 ? null : { rawHashes, riceHashes },
    removals:
      removals.length === 0
        ? null
        : hasRice
          ? { rawIndices: null, riceIndices: rice(removals) }
          : { rawIndices: indices, riceIndices: null },
    newVersionToken: facts.newVersionToken,
    checksum: checksum === null ? null : { sha256: writeChecksum(checksum) },
    recommendedNextDiff: facts.recommendedNextDiff,
  };
}

function values(
  { entryCount, ...coded }: RiceDeltaEncoding,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  return decodeV4Values({ ...coded, entriesCount: entryCount }, maxEntries, repeated);
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the message contradicts itself.
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
  const maxEntries = maxEntriesOf(limit);
  const { responseType, additions, removals } = response;
  if (responseType === null) throw new WireError("response-type-missing", "responseType");
  const checksum = readChecksum(response.checksum?.sha256 ?? new Uint8Array(0));
  const groups = (additions?.rawHashes ?? []).map(({ prefixSize, rawHashes }) =>
    readGroup(prefixSize, rawHashes),
  );
  if (additions?.riceHashes) {
    const rawHashes = fromLittleEndian(
      values(additions.riceHashes, maxEntries, "additions-unordered"),
    );
    groups.push({ prefixBytes: 4, rawHashes });
  }
  checkEntries(groups, maxEntries);
  const runs: ArrayLike<number>[] = [];
  if (removals?.rawIndices) runs.push(removals.rawIndices.indices);
  if (removals?.riceIndices) runs.push(values(removals.riceIndices, maxEntries, "removals-wrong"));
  return checkUpdate({
    full: responseType === "RESET",
    removals: combineRemovals(runs),
    additions: combineGroups(groups),
    checksum,
  });
}
