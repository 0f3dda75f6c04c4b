import { firstWords, viewOf } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "./bytes.ts";
import { StoreError } from "./error.ts";
import { getObject, isHash } from "./objects.ts";
import type { Storage } from "./storage.ts";
import { PREFIX_BYTES, type PrefixWords } from "./words.ts";

/*
 * Readers that keep prefixes of eight bytes also read rests. A rest is the fifth to the eighth byte of a full hash. The
 * first four bytes are known from the prefixes. The base and the layers each have one object with the rests of all
 * their full hashes, in ascending order of the full hashes.
 */

/** The length in bytes of the prefixes that can be read from rests. */
export const LONG_PREFIX_BYTES = 8;
const REST_BYTES = LONG_PREFIX_BYTES - PREFIX_BYTES;

/** The rests of some full hashes. */
export interface StoredRests {
  /** The number of full hashes. */
  readonly count: number;
  /**
   * One object, which begins with the number of full hashes whose first four bytes repeat those of the previous full
   * hash, and with their indices. The number and the indices are unsigned, and have four bytes each, the most
   * significant byte first. The rests follow. Earlier releases spread the rests of long lists over several objects.
   */
  readonly objects: readonly { readonly prefixBytes: number; readonly object: string }[];
}

/** Collects the rests of full hashes that are read for another purpose. */
interface RestsCollector {
  /** Passes on chunks of ascending full hashes. */
  passOn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  /** The bytes of the object. Call this function after all chunks have been passed on. */
  object(): Uint8Array;
}

export function collectRests(count: number): RestsCollector {
  const rests = new Uint8Array(REST_BYTES * count);
  const repeats: number[] = [];
  let used = 0;
  let last = -1;

  function add(chunk: Uint8Array): void {
    const words = firstWords({ prefixBytes: FULL_HASH_BYTES, rawHashes: chunk });
    for (let i = 0; i < words.length; i++) {
      if (words[i] === last) repeats.push(used + i);
      last = words[i]!;
      const from = i * FULL_HASH_BYTES + PREFIX_BYTES;
      const to = (used + i) * REST_BYTES;
      for (let k = 0; k < REST_BYTES; k++) rests[to + k] = chunk[from + k]!;
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
    object() {
      const head = new Uint8Array((repeats.length + 1) * PREFIX_BYTES);
      const view = viewOf(head);
      view.setUint32(0, repeats.length);
      for (const [i, index] of repeats.entries()) view.setUint32((i + 1) * PREFIX_BYTES, index);
      return concatBytes([head, rests]);
    },
  };
}

/** The object with rests; `null` when an earlier release has spread them over several objects. */
export function restsObject({ objects }: StoredRests): string | null {
  return objects.length === 1 ? objects[0]!.object : null;
}

/**
 * Reads the prefixes of eight bytes of `count` full hashes, one for each, in ascending order. `words` are the distinct
 * first four bytes of the full hashes.
 *
 * @throws {StoreError} `damaged` when the object does not belong to these words.
 */
export async function readRests(
  storage: Storage,
  object: string,
  count: number,
  words: PrefixWords,
): Promise<Uint8Array> {
  const bytes = await getObject(storage, object, PREFIX_BYTES * (count + 1) + REST_BYTES * count);
  const damaged = new StoreError(
    "damaged",
    `The object ${object} is damaged: it does not have the rests of these prefixes`,
  );
  const view = viewOf(bytes);
  const start = bytes.length - REST_BYTES * count;
  if (start < PREFIX_BYTES || start !== PREFIX_BYTES * (view.getUint32(0) + 1)) throw damaged;
  const prefixes = new Uint8Array(count * LONG_PREFIX_BYTES);
  const prefixesView = viewOf(prefixes);
  let nextWord = 0;
  let nextRepeat = PREFIX_BYTES;
  for (let i = 0; i < count; i++) {
    if (nextRepeat < start && view.getUint32(nextRepeat) === i) nextRepeat += PREFIX_BYTES;
    else nextWord++;
    if (nextWord === 0 || nextWord > words.length) throw damaged;
    prefixesView.setUint32(i * LONG_PREFIX_BYTES, words[nextWord - 1]!);
    const from = start + i * REST_BYTES;
    prefixes.set(bytes.subarray(from, from + REST_BYTES), i * LONG_PREFIX_BYTES + PREFIX_BYTES);
  }
  if (nextWord !== words.length || nextRepeat !== start) throw damaged;
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
    objects.at(-1)?.prefixBytes === LONG_PREFIX_BYTES &&
    objects.every(({ object }) => isHash(object))
  );
}
