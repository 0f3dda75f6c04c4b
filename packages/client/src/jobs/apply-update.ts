import { diffPrefixLists, encodePrefixList, type PrefixList } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, isUint8Array, toHex } from "@x/sha256-prefix";
import { applyUpdate as applyToList, type ListUpdate, WireError } from "@x/wire";
import type { ListUpdateResponse } from "@x/wire/v4";
import type { HashList } from "@x/wire/v5";
import type { ComputeThreatListDiffResponse } from "@x/wire/web-risk";
import { checkList } from "./check-list.ts";

/** The update of one list, as a message of one of the protocols. */
export type UpdateMessage =
  | { readonly protocol: "v5"; readonly message: HashList }
  | { readonly protocol: "v4"; readonly message: ListUpdateResponse }
  | { readonly protocol: "web-risk"; readonly message: ComputeThreatListDiffResponse };

/** The job of applying the update of one list, as plain data that can be sent to a worker. */
export type UpdateJob = UpdateMessage & {
  readonly kind: "update";
  readonly name: string;
  /** The list before the update; `null` when there is none. */
  readonly before: PrefixList | null;
  /** The creation time to record in the new list, in milliseconds since 1970. */
  readonly created: number;
  /** Whether the list is also needed as a file. Making the file takes a second for ten million entries. */
  readonly withFile: boolean;
};

/** The list after an update, as plain data. */
export interface AppliedUpdate {
  /** `null` when the update changes nothing, or does not apply to the list. */
  readonly list: PrefixList | null;
  /** Why the update does not apply to the list, which is then fetched as a whole; otherwise `null`. */
  readonly damage: string | null;
  /**
   * The new list as a file of `@x/prefix-list`, if the job asks for it. Without it, the client makes the file itself.
   */
  readonly file?: Uint8Array | null | undefined;
  readonly added: number;
  readonly removed: number;
  /** The number of bytes of encoded entries in the message. */
  readonly bytes: number;
}

function changesNothing(
  { full, removals, additions, checksum }: ListUpdate,
  before: PrefixList | null,
) {
  if (full || before === null || removals.length > 0 || additions.length > 0) return false;
  return checksum === null || checksum === before.checksum;
}

/** The total length of all byte values in a message. They are nearly all of the message. */
function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0);
}

/** Applies an update. `read` reads the update in the job's message. */
export function applyUpdate(
  job: UpdateJob,
  read: (message: UpdateMessage) => ListUpdate,
): AppliedUpdate {
  const bytes = bytesIn(job.message);
  try {
    const result = applied(job, read(job));
    const file = result.list === null || !job.withFile ? null : encodePrefixList(result.list);
    return { ...result, file, damage: null, bytes };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { list: null, damage: error.message, added: 0, removed: 0, bytes };
  }
}

function applied(
  { name, before, created }: UpdateJob,
  update: ListUpdate,
): Pick<AppliedUpdate, "list" | "added" | "removed"> {
  if (changesNothing(update, before)) return { list: null, added: 0, removed: 0 };
  const list = applyToList(before, update, { name, created });
  if (before === null) return { list, added: list.size, removed: 0 };
  const { additions } = update.full ? diffPrefixLists(before, list) : update;
  const added = countEntries(additions);
  const removed = before.size + added - list.size;
  // A server that does not know the token sends the whole list, even if it is the same.
  return { list: added + removed === 0 ? null : list, added, removed };
}

/** The checksum in a message; `null` when it has none. */
function checksumIn(job: UpdateMessage): string | null {
  const sha256 = job.protocol === "v5" ? job.message.sha256Checksum : job.message.checksum?.sha256;
  return sha256?.length === FULL_HASH_BYTES ? toHex(sha256) : null;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/**
 * Checks the form of the result of a job, and that its list has the checksum in the message. The entries are not hashed
 * again.
 *
 * @throws {TypeError} or another error when the result is wrong.
 */
export function checkApplied(result: AppliedUpdate, job: UpdateJob): AppliedUpdate {
  const { file = null, added, removed, bytes } = result;
  if (![added, removed, bytes].every(isCount) || !(file === null || isUint8Array(file))) {
    throw new TypeError("The result is not the updated list");
  }
  checkList(result, checksumIn(job) ?? job.before?.checksum, job.before);
  return result;
}
