import { sortFullHashes } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, isUint8Array } from "@x/sha256-prefix";
import { shardBits, shardNumber } from "./shard-size.ts";

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
