import { diffPrefixLists, type PrefixList } from "@x/prefix-list";
import { applyUpdate as applyToList, type ListUpdate } from "@x/wire";
import { fromHashList, type HashList } from "@x/wire/v5";

/** An update of one list, as plain data that can be sent to a worker. */
export interface ListJob {
  readonly protocol: "v5";
  readonly name: string;
  /** The list before the update; `null` when there is none. */
  readonly before: PrefixList | null;
  /** The message of the protocol with the update. */
  readonly message: HashList;
  /** The time for the new list, in milliseconds since 1970. */
  readonly created: number;
}

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

function bytesOf(message: HashList): number {
  const coded = [
    message.additionsFourBytes,
    message.additionsEightBytes,
    message.additionsSixteenBytes,
    message.additionsThirtyTwoBytes,
    message.compressedRemovals,
  ];
  return coded.reduce((sum, each) => sum + (each?.encodedData.length ?? 0), 0);
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
export function applyListJob({ name, before, message, created }: ListJob): AppliedUpdate {
  const update = fromHashList(message);
  const bytes = bytesOf(message);
  if (changesNothing(update, before)) return { list: null, added: 0, removed: 0, bytes };
  const list = applyToList(before, update, { name, created });
  if (before === null) return { list, added: list.size, removed: 0, bytes };
  const added = update.full ? countAdded(before, list) : countEntries(update);
  return { list, added, removed: before.size + added - list.size, bytes };
}

const countEntries = ({ additions }: ListUpdate) =>
  additions.reduce((sum, { prefixBytes, rawHashes }) => sum + rawHashes.length / prefixBytes, 0);

function countAdded(before: PrefixList, after: PrefixList): number {
  const { additions } = diffPrefixLists(before, after);
  return additions.reduce(
    (sum, { prefixBytes, rawHashes }) => sum + rawHashes.length / prefixBytes,
    0,
  );
}
