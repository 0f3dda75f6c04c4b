import {
  decodePrefixList,
  diffPrefixLists,
  encodePrefixList,
  lookupPrefix,
  type PrefixList,
} from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, fromHex, isUint8Array, toHex } from "@x/sha256-prefix";
import { applyUpdate as applyToList, type ListUpdate, WireError } from "@x/wire";
import { fromListUpdateResponse, type ListUpdateResponse } from "@x/wire/v4";
import { fromHashList, type HashList } from "@x/wire/v5";
import { type ComputeThreatListDiffResponse, fromThreatListDiff } from "@x/wire/web-risk";

/** The update of one list, as a message of one of the protocols. */
export type UpdateMessage =
  | { readonly protocol: "v5"; readonly message: HashList }
  | { readonly protocol: "v4"; readonly message: ListUpdateResponse }
  | { readonly protocol: "web-risk"; readonly message: ComputeThreatListDiffResponse };

/** A stored list: a file of `@x/prefix-list` whose SHA-256 has been verified. */
export interface StoredMessage {
  readonly protocol: "stored";
  /** The checksum of the entries, in hexadecimal. */
  readonly message: { readonly file: Uint8Array; readonly checksum: string };
}

/** An update of one list, or the stored list itself, as plain data that can be sent to a worker. */
export type ListJob = (UpdateMessage | StoredMessage) & {
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

/**
 * Does the jobs of a client: applies updates and decodes stored lists. A function of your own may do so in a worker.
 */
export type ApplyUpdate = (job: ListJob) => AppliedUpdate | Promise<AppliedUpdate>;

function changesNothing(
  { full, removals, additions, checksum }: ListUpdate,
  before: PrefixList | null,
) {
  if (full || before === null || removals.length > 0 || additions.length > 0) return false;
  return checksum === null || checksum === before.checksum;
}

/** The update in a message. */
function updateIn(job: UpdateMessage): ListUpdate {
  if (job.protocol === "v5") return fromHashList(job.message);
  if (job.protocol === "v4") return fromListUpdateResponse(job.message);
  return fromThreatListDiff(job.message);
}

/** Reads the list in a stored file. */
function readStored({ file, checksum }: StoredMessage["message"]): AppliedUpdate {
  const counts = { added: 0, removed: 0, bytes: file.length };
  try {
    // The file has not changed since it was written, so its entries need not be hashed again. In JavaScript, hashing
    // would take most of the time.
    const list = decodePrefixList(file, { sha256: () => fromHex(checksum) });
    return { list, damage: null, ...counts };
  } catch (error) {
    return { list: null, damage: (error as Error).message, ...counts };
  }
}

/** The total length of all byte values in a message. They are nearly all of the message. */
function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0);
}

/** Does a job. `decode` reads the update in the job's message. */
export function applyDecoded(
  job: ListJob,
  decode: (job: UpdateMessage) => ListUpdate,
): AppliedUpdate {
  if (job.protocol === "stored") return readStored(job.message);
  const bytes = bytesIn(job.message);
  try {
    const result = applied(job, decode(job));
    const file = result.list === null || !job.withFile ? null : encodePrefixList(result.list);
    return { ...result, file, damage: null, bytes };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { list: null, damage: error.message, added: 0, removed: 0, bytes };
  }
}

function applied(
  { name, before, created }: ListJob,
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

/**
 * Decodes an update of one list and applies it, or decodes a stored list. This is the default for `apply`. A worker
 * that receives a job can call it, and post the result back.
 *
 * @example
 * ```ts
 * import { applyListJob } from "@x/client";
 *
 * // In a worker:
 * const onmessage = ({ data }) => postMessage(applyListJob(data));
 * ```
 */
export function applyListJob(job: ListJob): AppliedUpdate {
  return applyDecoded(job, updateIn);
}

/** The checksum in a message; `null` when it has none. */
function checksumIn(job: UpdateMessage | StoredMessage): string | null {
  if (job.protocol === "stored") return job.message.checksum;
  const sha256 = job.protocol === "v5" ? job.message.sha256Checksum : job.message.checksum?.sha256;
  return sha256?.length === FULL_HASH_BYTES ? toHex(sha256) : null;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const ANY_HASH = new Uint8Array(FULL_HASH_BYTES);

/**
 * Checks the form of a result of `apply`, and that its list has the checksum in the message. The entries are not hashed
 * again.
 *
 * @throws {TypeError} or another error when the result is wrong.
 */
export function checkApplied(result: AppliedUpdate, job: ListJob): AppliedUpdate {
  const { list, damage, file = null, added, removed, bytes } = result;
  const hasForm =
    [added, removed, bytes].every(isCount) &&
    (damage === null || (typeof damage === "string" && list === null)) &&
    (file === null || isUint8Array(file));
  if (hasForm && damage !== null) return result;
  if (hasForm && list !== null) lookupPrefix(list, ANY_HASH);
  const checksum = (list ?? job.before)?.checksum;
  if (
    !hasForm ||
    checksum === undefined ||
    checksum !== (checksumIn(job) ?? job.before?.checksum)
  ) {
    throw new TypeError("The result is not the updated list");
  }
  return result;
}
