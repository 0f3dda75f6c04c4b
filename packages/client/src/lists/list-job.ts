import { diffPrefixLists, lookupPrefix, type PrefixList } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, toHex } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { applyUpdate, type ListUpdate, type WireError } from "@x/wire";
import type { ListUpdateResponse } from "@x/wire/v4";
import type { HashList } from "@x/wire/v5";
import type { ComputeThreatListDiffResponse } from "@x/wire/web-risk";

/** The update of one list, as a message of one of the protocols. */
export type UpdateMessage =
  | { readonly protocol: "v5"; readonly message: HashList }
  | { readonly protocol: "v4"; readonly message: ListUpdateResponse }
  | { readonly protocol: "web-risk"; readonly message: ComputeThreatListDiffResponse };

/**
 * The job of applying the update of one list, as plain data that can be sent to a worker, because a long list keeps a
 * thread busy.
 */
export type ListJob = UpdateMessage & {
  readonly name: string;
  /** The list before the update; `null` when there is none. */
  readonly before: PrefixList | null;
  /** The creation time to record in the new list, in milliseconds since 1970. */
  readonly created: number;
};

/** The list after an update, as plain data. */
export interface ListJobResult {
  /** `null` when the update changes nothing, or does not apply to the list. */
  readonly list: PrefixList | null;
  /** Why the update does not apply to the list, which is then fetched as a whole; otherwise `null`. */
  readonly damage: string | null;
  readonly added: number;
  readonly removed: number;
  /** The number of bytes of encoded entries in the message. */
  readonly bytes: number;
}

/** Applies the updates of a client. Your own function may do that in a worker. */
export type ApplyListJob = (job: ListJob) => ListJobResult | Promise<ListJobResult>;

function changesNothing(
  { full, removals, additions, checksum }: ListUpdate,
  before: PrefixList | null,
) {
  if (full || before === null || removals.length > 0 || additions.length > 0) return false;
  return checksum === null || checksum === before.checksum;
}

/** The total length of all byte values in a message, which make up nearly all of it. */
function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0);
}

/** Applies the update of a job. `read` reads the update in the job's message. */
export function runListJob(
  job: ListJob,
  read: (update: UpdateMessage) => ListUpdate,
): ListJobResult {
  const bytes = bytesIn(job.message);
  try {
    return { ...changedList(job, read(job)), damage: null, bytes };
  } catch (error) {
    if (!hasName<WireError>(error, "WireError")) throw error;
    return { list: null, damage: error.message, added: 0, removed: 0, bytes };
  }
}

function changedList(
  { name, before, created }: ListJob,
  update: ListUpdate,
): Pick<ListJobResult, "list" | "added" | "removed"> {
  if (changesNothing(update, before)) return { list: null, added: 0, removed: 0 };
  const list = applyUpdate(before, update, { name, created });
  if (before === null) return { list, added: list.size, removed: 0 };
  const { additions } = update.full ? diffPrefixLists(before, list) : update;
  const added = countEntries(additions);
  const removed = before.size + added - list.size;
  // A server that does not know the token sends the whole list, even if nothing has changed.
  return { list: added + removed === 0 ? null : list, added, removed };
}

/** The checksum in a message; `null` when it has none. */
function checksumIn({ protocol, message }: UpdateMessage): string | null {
  const sha256 = protocol === "v5" ? message.sha256Checksum : message.checksum?.sha256;
  return sha256?.length === FULL_HASH_BYTES ? toHex(sha256) : null;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

const ANY_HASH = new Uint8Array(FULL_HASH_BYTES);

/**
 * Checks the form of the result of a job, which may come from a worker, and that its list has the checksum in the
 * message. The entries are not hashed again.
 *
 * @throws {TypeError} or another error when the result is wrong.
 */
export function checkResult(result: ListJobResult, job: ListJob): ListJobResult {
  const { list, damage, added, removed, bytes } = result;
  const kept = list ?? job.before;
  const checksum = checksumIn(job) ?? job.before?.checksum;
  const isRight =
    damage === null
      ? kept !== null && kept.checksum === checksum
      : typeof damage === "string" && list === null;
  if (!isRight || ![added, removed, bytes].every(isCount)) {
    throw new TypeError("The result is not the updated list");
  }
  if (list !== null) lookupPrefix(list, ANY_HASH);
  return result;
}
