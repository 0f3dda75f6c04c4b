import { compareBytes, sortFullHashes } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, isUint8Array } from "@x/sha256-prefix";
import { concatBytes } from "./bytes.ts";
import { StoreError } from "./error.ts";
import { getObject, type Storage } from "./storage.ts";
import { firstNotBelow } from "./words.ts";

/** Distinct full hashes in ascending order. The hashes need not be in memory. */
export interface SortedHashes {
  readonly count: number;
  /**
   * Reads the hashes from the beginning, in chunks of any number of hashes. A chunk must not change after it has been
   * returned.
   */
  readonly pieces: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export const WORD_BYTES: number = Uint32Array.BYTES_PER_ELEMENT;
export const FULL_HASH_WORDS: number = FULL_HASH_BYTES / WORD_BYTES;

/**
 * The bytes as words in the machine's byte order, because hashes are copied and compared faster word by word. Bytes
 * that are not aligned are copied.
 */
export function inWords(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % WORD_BYTES === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / WORD_BYTES);
}

/** Throws unless a chunk contains whole full hashes. A truncated hash would be padded and match nothing. */
function checkPiece(piece: unknown): void {
  if (!isUint8Array(piece)) throw new TypeError("fullHashes must be Uint8Arrays");
  if (piece.length % FULL_HASH_BYTES === 0) return;
  throw new RangeError(
    `fullHashes must have ${FULL_HASH_BYTES} bytes each, but a chunk has ${piece.length} bytes`,
  );
}

/**
 * Sorts full hashes in memory, and removes duplicates. Each chunk may have any number of hashes.
 *
 * @throws {TypeError} when a chunk is not a `Uint8Array`.
 * @throws {RangeError} when the length of a chunk is not a multiple of 32.
 */
export function sortHashes(pieces: readonly Uint8Array[]): SortedHashes {
  pieces.forEach(checkPiece);
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const bits = shardBits(bytes / FULL_HASH_BYTES);
  const lengths = new Float64Array(2 ** bits);
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += FULL_HASH_BYTES) {
      lengths[shardNumber(piece, at, bits)]! += FULL_HASH_WORDS;
    }
  }
  const unsorted = Array.from(lengths, (length) => new Uint32Array(length));
  lengths.fill(0);
  for (const piece of pieces) {
    const words = inWords(piece);
    for (let at = 0; at < words.length; at += FULL_HASH_WORDS) {
      const shard = shardNumber(piece, at * WORD_BYTES, bits);
      const to = unsorted[shard]!;
      const end = lengths[shard]!;
      for (let k = 0; k < FULL_HASH_WORDS; k++) to[end + k] = words[at + k]!;
      lengths[shard] = end + FULL_HASH_WORDS;
    }
  }
  // Each unsorted shard is dropped once it is sorted, to free its memory early.
  const parts: Uint8Array[] = [];
  for (let i = 0; i < unsorted.length; i++) {
    parts.push(sortFullHashes(new Uint8Array(unsorted[i]!.buffer)));
    unsorted[i] = new Uint32Array(0);
  }
  const count = parts.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0);
  return { count, pieces: () => parts };
}

/** The byte offset in ascending full hashes at which a shard starts, or would start if it is empty. */
function startOfShard(
  hashes: Uint8Array,
  number: number,
  bits: number,
  hashBytes: number = FULL_HASH_BYTES,
): number {
  const count = hashes.length / hashBytes;
  const isBelow = (index: number) => shardNumber(hashes, index * hashBytes, bits) < number;
  return hashBytes * firstNotBelow(count, count / 2, isBelow);
}

/** The part of ascending full hashes, or of longer prefixes of `hashBytes` bytes, that belongs to a shard. */
export function shardIn(
  hashes: Uint8Array,
  number: number,
  bits: number,
  hashBytes: number = FULL_HASH_BYTES,
): Uint8Array {
  return hashes.subarray(
    startOfShard(hashes, number, bits, hashBytes),
    startOfShard(hashes, number + 1, bits, hashBytes),
  );
}

const joined = (parts: readonly Uint8Array[]) =>
  parts.length === 1 ? parts[0]! : concatBytes(parts);

/**
 * Splits full hashes into 2 to the power of `bits` shards, and yields the shards one by one.
 *
 * @throws {StoreError} `unverified` when the number of full hashes is not `count`.
 */
export async function* shardsOf(
  { count, pieces }: SortedHashes,
  bits: number = shardBits(count),
): AsyncGenerator<Uint8Array, void, undefined> {
  let number = 0;
  let bytes = 0;
  /** The parts of the current shard that have been read. */
  let parts: Uint8Array[] = [];
  for await (const piece of pieces()) {
    bytes += piece.length;
    let rest = piece;
    for (;;) {
      const end = startOfShard(rest, number + 1, bits);
      if (end > 0) parts.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      if (rest.length === 0) break;
      yield joined(parts);
      parts = [];
      number++;
    }
  }
  if (bytes !== count * FULL_HASH_BYTES) {
    throw new StoreError(
      "unverified",
      `There should be ${count} full hashes, but ${bytes} bytes were read`,
    );
  }
  for (; number < 2 ** bits; number++) {
    yield joined(parts);
    parts = [];
  }
}

/*
 * The full hashes of a list are split into shards by their first bits, so that a search reads one small object. An
 * index object names the shards in order.
 */

/** The maximum number of full hashes in a shard (one megabyte) if hashes are spread evenly. */
const SHARD_HASHES = 2 ** 15;
/** The maximum length of a shard in bytes, far above the length of any valid shard. */
const MAX_SHARD_BYTES = 2 ** 25;
/** The first two bytes of a hash give the number of its shard, which is enough for 2 billion hashes. */
export const MAX_SHARD_BITS = 16;

/** The binary logarithm of the number of shards for a list of `count` full hashes. */
export function shardBits(count: number): number {
  return Math.min(MAX_SHARD_BITS, Math.max(0, Math.ceil(Math.log2(count / SHARD_HASHES))));
}

/** The number of the shard, out of 2 to the power of `bits`, for the hash or prefix at an offset. */
export function shardNumber(hash: Uint8Array, offset: number, bits: number): number {
  return ((hash[offset]! << 8) | hash[offset + 1]!) >>> (MAX_SHARD_BITS - bits);
}

/** Reads a shard and checks its bytes against its name, which is their SHA-256. */
export function getShard(storage: Storage, name: string): Promise<Uint8Array> {
  return getObject(storage, name, MAX_SHARD_BYTES);
}

/** Ascending full hashes, of which any part can be read. */
export interface ReadableHashes {
  readonly count: number;
  /**
   * The bytes of `count` hashes from `index` on. Callers must not change these bytes, which may be a view of shared
   * memory.
   */
  read(index: number, count: number): Uint8Array;
}

/** Makes the hashes in `bytes` readable, 32 bytes each. Bytes after the last whole hash are ignored. */
export function hashesIn(bytes: Uint8Array): ReadableHashes {
  return {
    count: Math.floor(bytes.length / FULL_HASH_BYTES),
    read: (index, count) =>
      bytes.subarray(index * FULL_HASH_BYTES, (index + count) * FULL_HASH_BYTES),
  };
}

/**
 * This many hashes around the guess are read at once. Most searches need no other read, because the guess is off only
 * by the number of entries that changed nearby. Hashes farther away are read one by one.
 */
const WINDOW = 96;

/** The full hashes in a shard that begin with a prefix. `guess` is the approximate index of the first one. */
export function findInShard(
  shard: ReadableHashes,
  prefix: Uint8Array,
  guess: number,
): Uint8Array[] {
  const { count } = shard;
  const from = Math.max(0, Math.min(Math.floor(guess) - WINDOW / 2, count - WINDOW));
  const window = shard.read(from, Math.min(WINDOW, count - from));
  const size = window.length / FULL_HASH_BYTES;
  const hashAt = (index: number): Uint8Array => {
    if (index < from || index >= from + size) return shard.read(index, 1);
    const at = (index - from) * FULL_HASH_BYTES;
    return window.subarray(at, at + FULL_HASH_BYTES);
  };
  /** Returns a number below 0 when the hash comes before the prefix, and 0 when the hash begins with the prefix. */
  const compare = (index: number): number =>
    index >= from && index < from + size
      ? compareBytes(window, (index - from) * FULL_HASH_BYTES, prefix, 0, prefix.length)
      : compareBytes(shard.read(index, 1), 0, prefix, 0, prefix.length);
  const found: Uint8Array[] = [];
  let index = firstNotBelow(count, guess, (each) => compare(each) < 0, 1);
  for (; index < count && compare(index) === 0; index++) found.push(hashAt(index));
  return found;
}
