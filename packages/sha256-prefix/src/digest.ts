// compress.generated.ts is not committed: `pnpm install` and `pnpm run kernel` write it (kernel/compress.js).
import { compress } from "./compress.generated.ts";
import { BLOCK_BYTES, INITIAL_HASH } from "./constants.ts";

/** The length of a full hash: 32 bytes. */
export const FULL_HASH_BYTES = 32;

const END_MARK = 0x80;
/** The last 8 bytes of the last block hold the message's length in bits (FIPS 180-4 §5.1.1). */
const LENGTH_AT = BLOCK_BYTES - 8;

// No caller's code runs while these arrays are in use, so one of each is enough, and hashing allocates nothing.
const state = new Int32Array(INITIAL_HASH.length);
const lastBlock = new Uint8Array(BLOCK_BYTES);
const lastBlockWords = new Int32Array(lastBlock.buffer);
const lastBlockView = new DataView(lastBlock.buffer);

/** Clears the last block from the word `from` on. */
function clearLastBlock(from: number): void {
  for (let i = from; i < lastBlockWords.length; i++) lastBlockWords[i] = 0;
}

/**
 * Writes the SHA-256 hash of the bytes from `start` to `end` into `hashes` at index `at`, and returns its first
 * four bytes as a number, most significant byte first.
 *
 * @param view a view of the same memory as `bytes`, with the same start.
 */
export function digestInto(
  hashes: DataView,
  at: number,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): number {
  for (let i = 0; i < state.length; i++) state[i] = INITIAL_HASH[i]!;
  let block = start;
  for (; end - block >= BLOCK_BYTES; block += BLOCK_BYTES) compress(state, view, block);

  const rest = end - block;
  const words = rest >>> 2;
  for (let i = 0; i < words; i++) lastBlockView.setInt32(4 * i, view.getInt32(block + 4 * i));
  clearLastBlock(words);
  for (let i = 4 * words; i < rest; i++) lastBlock[i] = bytes[block + i]!;
  lastBlock[rest] = END_MARK;
  if (rest >= LENGTH_AT) {
    compress(state, lastBlockView, 0);
    clearLastBlock(0);
  }
  // Shift operators work on 32 bits, so the upper half of the length in bits is computed by division.
  lastBlockView.setUint32(LENGTH_AT, (end - start) / 2 ** 29);
  lastBlockView.setUint32(LENGTH_AT + 4, (end - start) << 3);
  compress(state, lastBlockView, 0);

  for (let i = 0; i < state.length; i++) hashes.setInt32(at + 4 * i, state[i]!);
  return state[0]! >>> 0;
}
