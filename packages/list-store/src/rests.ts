import { firstWords, viewOf } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "./bytes.ts";
import { StoreError } from "./error.ts";
import { getObject, isHash } from "./objects.ts";
import type { Storage } from "./storage.ts";
import { PREFIX_BYTES, type PrefixWords } from "./words.ts";

/*
 * Readers that keep prefixes of more than four bytes also read rests. A rest is the fifth to the eighth byte of a full
 * hash. The first four bytes are known from the prefixes. The base and the layers have the rests of all their full
 * hashes, in ascending order of the full hashes.
 */

/** The lengths of the prefixes that can be read from rests, in bytes, in ascending order. */
export const REST_LENGTHS = [5, 6, 8] as const;
/** The length in bytes of the longest prefix that can be read from rests. */
export const LONGEST_REST: number = Math.max(...REST_LENGTHS);
/** Up to this many rests are stored as one object, because a request costs more than a few unneeded bytes. */
const MOST_IN_ONE = 2 ** 14;

/** An object with the next bytes of each full hash. */
export interface RestsObject {
  /** The length, in bytes, of the prefixes that end with the bytes in the object. */
  readonly prefixBytes: number;
  readonly object: string;
}

/** The objects with the rests of some full hashes. */
export interface StoredRests {
  /** The number of full hashes. */
  readonly count: number;
  /**
   * Each object has the bytes after those of the previous object. The first object begins with the number of full
   * hashes whose first four bytes repeat those of the previous full hash, and with their indices. The number and the
   * indices are unsigned, and have four bytes each, the most significant byte first.
   */
  readonly objects: readonly RestsObject[];
}

/** The number of bytes of each full hash in each object. */
function widthsOf(lengths: readonly number[]): number[] {
  return lengths.map((length, i) => length - (lengths[i - 1] ?? PREFIX_BYTES));
}

/** Collects the rests of full hashes that are read for another purpose. */
export interface RestsCollector {
  /** Passes on chunks of ascending full hashes. */
  passOn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  /** The bytes of the objects. Call this function after all chunks have been passed on. */
  objects(): { readonly prefixBytes: number; readonly bytes: Uint8Array }[];
}

export function collectRests(count: number): RestsCollector {
  const lengths = count <= MOST_IN_ONE ? [LONGEST_REST] : REST_LENGTHS;
  const columns = widthsOf(lengths).map((width) => ({
    width,
    bytes: new Uint8Array(width * count),
  }));
  const repeats: number[] = [];
  let used = 0;
  let last = -1;

  function add(chunk: Uint8Array): void {
    const words = firstWords({ prefixBytes: FULL_HASH_BYTES, rawHashes: chunk });
    for (let i = 0; i < words.length; i++) {
      if (words[i] === last) repeats.push(used + i);
      last = words[i]!;
      let from = i * FULL_HASH_BYTES + PREFIX_BYTES;
      for (const { width, bytes } of columns) {
        const to = (used + i) * width;
        for (let k = 0; k < width; k++) bytes[to + k] = chunk[from++]!;
      }
    }
    used += words.length;
  }

  return {
    async *passOn(chunks) {
      for await (const chunk of chunks) {
        add(chunk);
        yield chunk;
      }
    },
    objects() {
      const head = new Uint8Array((repeats.length + 1) * PREFIX_BYTES);
      const view = viewOf(head);
      view.setUint32(0, repeats.length);
      for (const [i, index] of repeats.entries()) view.setUint32((i + 1) * PREFIX_BYTES, index);
      return columns.map(({ bytes }, i) => ({
        prefixBytes: lengths[i]!,
        bytes: i === 0 ? concatBytes([head, bytes]) : bytes,
      }));
    },
  };
}

function damaged({ object }: RestsObject): StoreError {
  return new StoreError(
    "damaged",
    `The object ${object} is damaged: it does not have the rests of these prefixes`,
  );
}

/** The first four bytes of each full hash, as words. `words` has the same words without repetitions. */
function repeatedWords(
  words: PrefixWords,
  head: Uint8Array,
  count: number,
  of: RestsObject,
): PrefixWords {
  const view = viewOf(head);
  const all = new Uint32Array(count);
  let next = 0;
  let nextRepeat = PREFIX_BYTES;
  for (let i = 0; i < count; i++) {
    if (nextRepeat < head.length && view.getUint32(nextRepeat) === i) {
      if (i === 0) throw damaged(of);
      all[i] = all[i - 1]!;
      nextRepeat += PREFIX_BYTES;
    } else all[i] = words[next++]!;
  }
  if (next !== words.length || nextRepeat !== head.length) throw damaged(of);
  return all;
}

/**
 * Reads the prefixes of full hashes, one for each, in ascending order. `prefixBytes` is more than four, and at most
 * {@link LONGEST_REST}; `words` are the distinct first four bytes of the full hashes.
 *
 * @throws {StoreError} `damaged` when the objects do not belong to these words.
 */
export async function readRests(
  storage: Storage,
  { count, objects }: StoredRests,
  words: PrefixWords,
  prefixBytes: number,
): Promise<Uint8Array> {
  const lengths = objects.map((each) => each.prefixBytes);
  const widths = widthsOf(lengths);
  const needed = objects.slice(0, 1 + lengths.findIndex((length) => length >= prefixBytes));
  const most = (i: number) => PREFIX_BYTES * (count + 1) + widths[i]! * count;
  const stored = await Promise.all(
    needed.map(({ object }, i) => getObject(storage, object, most(i))),
  );
  const [first] = needed;
  const headBytes = stored[0]!.length - widths[0]! * count;
  const repeats = headBytes < PREFIX_BYTES ? -1 : viewOf(stored[0]!).getUint32(0);
  if (headBytes !== PREFIX_BYTES * (repeats + 1)) throw damaged(first!);
  const all = repeatedWords(words, stored[0]!.subarray(0, headBytes), count, first!);
  const prefixes = new Uint8Array(count * prefixBytes);
  const view = viewOf(prefixes);
  for (let i = 0; i < count; i++) view.setUint32(i * prefixBytes, all[i]!);
  let column = PREFIX_BYTES;
  for (const [k, bytes] of stored.entries()) {
    const rows = k === 0 ? bytes.subarray(headBytes) : bytes;
    const width = widths[k]!;
    if (rows.length !== width * count) throw damaged(needed[k]!);
    const used = Math.min(width, prefixBytes - column);
    for (let i = 0; i < count; i++) {
      const [to, from] = [i * prefixBytes + column, i * width];
      for (let j = 0; j < used; j++) prefixes[to + j] = rows[from + j]!;
    }
    column += width;
  }
  return prefixes;
}

/** Whether a value in an index is a valid description of rests, or absent. */
export function areRests(value: Partial<StoredRests> | undefined): boolean {
  if (value === undefined) return true;
  const { count, objects } = value;
  return (
    Number.isSafeInteger(count) &&
    count! >= 0 &&
    Array.isArray(objects) &&
    objects.at(-1)?.prefixBytes === LONGEST_REST &&
    objects.every(
      ({ prefixBytes, object }, i) =>
        Number.isInteger(prefixBytes) &&
        prefixBytes > (objects[i - 1]?.prefixBytes ?? PREFIX_BYTES) &&
        isHash(object),
    )
  );
}
