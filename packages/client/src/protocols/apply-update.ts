import { diffPrefixLists, type PrefixList } from "@x/prefix-list";
import { applyUpdate as applyToList, type ListUpdate } from "@x/wire";
import { fromListUpdateResponse, type ListUpdateResponse } from "@x/wire/v4";
import { fromHashList, type HashList } from "@x/wire/v5";
import { type ComputeThreatListDiffResponse, fromThreatListDiff } from "@x/wire/web-risk";

/** The message of a protocol with the update of one list. */
export type ListMessage =
  | { readonly protocol: "v5"; readonly message: HashList }
  | { readonly protocol: "v4"; readonly message: ListUpdateResponse }
  | { readonly protocol: "web-risk"; readonly message: ComputeThreatListDiffResponse };

/** An update of one list, as plain data that can be sent to a worker. */
export type ListJob = ListMessage & {
  readonly name: string;
  /** The list before the update; `null` when there is none. */
  readonly before: PrefixList | null;
  /** The time for the new list, in milliseconds since 1970. */
  readonly created: number;
};

/** The list after an update, as plain data. */
export interface AppliedUpdate {
  /** `null` when the update changes nothing. */
  readonly list: PrefixList | null;
  readonly added: number;
  readonly removed: number;
  /** The bytes of the coded entries in the message. */
  readonly bytes: number;
}

/** Applies an update; a client's own may do so in a worker. */
export type ApplyUpdate = (job: ListJob) => AppliedUpdate | Promise<AppliedUpdate>;

function changesNothing(
  { full, removals, additions, checksum }: ListUpdate,
  before: PrefixList | null,
) {
  if (full || before === null || removals.length > 0 || additions.length > 0) return false;
  return checksum === null || checksum === before.checksum;
}

/** The update in a message. */
function updateIn(job: ListMessage): ListUpdate {
  if (job.protocol === "v5") return fromHashList(job.message);
  if (job.protocol === "v4") return fromListUpdateResponse(job.message);
  return fromThreatListDiff(job.message);
}

/** The bytes of all values in a message that are bytes, which is nearly all of it. */
function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0);
}

/** Applies an update that was decoded. */
export function applyDecoded(job: ListJob, update: ListUpdate): AppliedUpdate {
  const { name, before, created } = job;
  const bytes = bytesIn(job.message);
  if (changesNothing(update, before)) return { list: null, added: 0, removed: 0, bytes };
  const list = applyToList(before, update, { name, created });
  if (before === null) return { list, added: list.size, removed: 0, bytes };
  const added = update.full ? countEntries(diffPrefixLists(before, list)) : countEntries(update);
  const removed = before.size + added - list.size;
  // A server that does not know the token sends the whole list, even if it is the same.
  return { list: added + removed === 0 ? null : list, added, removed, bytes };
}

/**
 * Decodes an update of one list and applies it: what a client does unless it is given another way. A worker that is handed a
 * job can call this, and post the result back.
 *
 * @throws WireError of `@x/wire` when the update contradicts itself, or does not fit the list.
 * @example
 * ```ts
 * import { applyListJob } from "@x/client";
 *
 * // In a worker:
 * const onmessage = ({ data }) => postMessage(applyListJob(data));
 * ```
 */
export function applyListJob(job: ListJob): AppliedUpdate {
  return applyDecoded(job, updateIn(job));
}

/** The number of entries that are added. */
export function countEntries({ additions }: Pick<ListUpdate, "additions">): number {
  return additions.reduce(
    (sum, { prefixBytes, rawHashes }) => sum + rawHashes.length / prefixBytes,
    0,
  );
}
