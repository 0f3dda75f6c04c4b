import { applyListJob, type ListJob, type ListJobResult } from "@x/client";
import {
  bytesOf,
  type Change,
  changeBetween,
  type DifferenceParts,
  type LongerDifferenceParts,
  longerChangeBetween,
  makeDifference,
  makeMentions,
  makeSnapshot,
  type PrefixWords,
  type Snapshot,
  type SnapshotParts,
  type StoredMentions,
  wordsOf,
} from "@x/list-store/serving";
import {
  type PrefixList,
  type PrefixListDifference,
  type RawHashes,
  sharePrefixList,
} from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import { type ListUpdateResponse, toListUpdateResponse } from "@x/wire/v4";
import { type HashList, toHashList } from "@x/wire/v5";
import { sha256 } from "../../storage/sha256.ts";
import { listUpdateFrom, type UpdateSource } from "../list-update.ts";

const NONE = new Uint8Array(0);

/** Copies bytes to shared memory, which other threads can use without another copy. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function sharedWords(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  copy.set(words);
  return copy;
}

function sharedDifference(difference: PrefixListDifference): PrefixListDifference {
  const additions = difference.additions.map(({ prefixBytes, rawHashes }) => ({
    prefixBytes,
    rawHashes: shared(rawHashes),
  }));
  return { ...difference, removals: sharedWords(difference.removals), additions };
}

/** A version of another server's list, and the prefixes of the version before it. */
interface ComparedList {
  readonly list: PrefixList;
  readonly before: PrefixWords;
}

/** A list's longer prefixes in one version, and those in an earlier version. */
interface ComparedLonger extends RawHashes {
  readonly before: Uint8Array;
}

/**
 * The jobs on long lists that take more than a moment. A job is a function of plain data, so that another thread can
 * run it. Results that later jobs need are in shared memory. All other results are in buffers that are moved to the
 * main thread: V8 does not count shared memory, so much of it would stay until V8 collects garbage for another reason.
 */
export const JOBS = {
  /** Makes the prefixes of a version from objects of the store. */
  makeSnapshot(parts: SnapshotParts): Snapshot {
    const { prefixes, words } = makeSnapshot(parts, sha256);
    return { prefixes: sharePrefixList(prefixes), words: sharedWords(words) };
  },

  /** The prefixes whose full hashes are all in one block of a list. */
  makeMentions: (stored: StoredMentions): PrefixWords => sharedWords(makeMentions(stored)),

  makeDifference: (parts: DifferenceParts | LongerDifferenceParts): PrefixListDifference =>
    sharedDifference(makeDifference(parts)),

  /** Applies the update that another server sent for a list. */
  applyUpdate(job: ListJob): ListJobResult {
    const result = applyListJob(job);
    return { ...result, list: result.list && sharePrefixList(result.list) };
  },

  /** The prefixes of another server's list, and the change since the previous version. */
  compareList({ list, before }: ComparedList): { words: PrefixWords; change: Change<PrefixWords> } {
    const words = sharedWords(wordsOf(list));
    const { removed, added } = changeBetween(before, words);
    return { words, change: { removed: sharedWords(removed), added: sharedWords(added) } };
  },

  /** The change between two versions of a list's longer prefixes. */
  compareLonger({ before, rawHashes, prefixBytes }: ComparedLonger): Change<Uint8Array> {
    const { removed, added } = longerChangeBetween(before, rawHashes, prefixBytes);
    return { removed: shared(removed), added: shared(added) };
  },

  /** The SHA-256 of prefixes, in lower-case hex. */
  checksumOf(prefixes: PrefixWords | Uint8Array): string {
    return toHex(sha256(prefixes instanceof Uint32Array ? bytesOf(prefixes) : prefixes));
  },

  /** The prefixes as bytes, four for each prefix. */
  rawHashesOf: (words: PrefixWords): Uint8Array => bytesOf(words),

  /** The fields of a v5 update that depend only on the list and its name. */
  hashListOf({ source, name }: { source: UpdateSource; name: string }): HashList {
    const message = toHashList(listUpdateFrom(source), {
      name,
      version: NONE,
      minimumWaitDuration: 0,
    });
    return {
      ...message,
      additionsFourBytes: inOwnBuffer(message.additionsFourBytes),
      additionsEightBytes: inOwnBuffer(message.additionsEightBytes),
      additionsSixteenBytes: inOwnBuffer(message.additionsSixteenBytes),
      additionsThirtyTwoBytes: inOwnBuffer(message.additionsThirtyTwoBytes),
      compressedRemovals: inOwnBuffer(message.compressedRemovals),
    };
  },

  /** The fields of a v4 update, with Rice codes, that depend only on the list. */
  listUpdateOf(source: UpdateSource): ListUpdateResponse {
    const message = toListUpdateResponse(listUpdateFrom(source), {
      threatType: null,
      platformType: null,
      threatEntryType: null,
      supportedCompressions: ["RICE"],
      newClientState: NONE,
    });
    const additions = message.additions.map((set) => ({
      ...set,
      riceHashes: inOwnBuffer(set.riceHashes),
    }));
    const removals = message.removals.map((set) => ({
      ...set,
      riceIndices: inOwnBuffer(set.riceIndices),
    }));
    return { ...message, additions, removals };
  },
};

/** Gives Rice codes a buffer of their own, which can be moved to another thread without a copy. */
function inOwnBuffer<Codes extends { readonly encodedData: Uint8Array }>(
  codes: Codes | null,
): Codes | null {
  if (codes === null || isWholeBuffer(codes.encodedData)) return codes;
  return { ...codes, encodedData: new Uint8Array(codes.encodedData) };
}

export type Jobs = typeof JOBS;
export type JobName = keyof Jobs;

export interface SentJob<Name extends JobName = JobName> {
  readonly id: number;
  readonly name: Name;
  readonly argument: Parameters<Jobs[Name]>[0];
}

/** The worker's answer: the result of a job, or its error. */
export type JobAnswer =
  | { readonly id: number; readonly value: ReturnType<Jobs[JobName]> }
  | { readonly id: number; readonly error: { name: string; code: string; message: string } };

type View = Uint8Array | Uint32Array;

/**
 * Whether a view covers its whole buffer, and the buffer is neither shared nor empty. Other buffers are not moved to
 * another thread.
 */
export function isWholeBuffer({ buffer, byteLength }: View): boolean {
  return buffer instanceof ArrayBuffer && byteLength > 0 && byteLength === buffer.byteLength;
}

/**
 * The buffers in a value that can be moved to another thread without a copy. A view of a part of a buffer is copied,
 * because other views may use the rest.
 */
export function buffersIn(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    // Skip arrays of numbers, which may be long.
    if (Array.isArray(part) && typeof part[0] !== "object") return;
    if (!ArrayBuffer.isView(part)) {
      for (const each of Object.values(part)) visit(each);
    } else if (isWholeBuffer(part as View)) buffers.add(part.buffer as ArrayBuffer);
  };
  visit(value);
  return [...buffers];
}
