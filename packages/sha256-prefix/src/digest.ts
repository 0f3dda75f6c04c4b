import { BLOCK_BYTES, compress, INITIAL_HASH } from "./compress.ts";

/** The octets of a SHA-256 hash value. */
export const HASH_BYTES = 32;

const END_MARK = 0x80;
/** The last 8 octets of the last block hold the message's length in bits. */
const LENGTH_AT = BLOCK_BYTES - 8;

const state = new Int32Array(INITIAL_HASH.length);
const lastBlock = new Uint8Array(BLOCK_BYTES);
const lastBlockView = new DataView(lastBlock.buffer);

/** Writes the SHA-256 of the octets from `start` to `end` into `hashes`, from the octet `at` on. */
export function digestInto(
  hashes: DataView,
  at: number,
  message: DataView,
  start: number,
  end: number,
): void {
  state.set(INITIAL_HASH);
  let block = start;
  for (; end - block >= BLOCK_BYTES; block += BLOCK_BYTES) compress(state, message, block);

  const rest = end - block;
  for (let i = 0; i < rest; i++) lastBlock[i] = message.getUint8(block + i);
  lastBlock[rest] = END_MARK;
  lastBlock.fill(0, rest + 1);
  if (rest >= LENGTH_AT) {
    compress(state, lastBlockView, 0);
    lastBlock.fill(0);
  }
  // FIPS 180-4 §5.1.1; JavaScript's shifts are of 32 bits, so the upper half is a division.
  lastBlockView.setUint32(LENGTH_AT, Math.floor((end - start) / 2 ** 29));
  lastBlockView.setUint32(LENGTH_AT + 4, (end - start) << 3);
  compress(state, lastBlockView, 0);
  for (let i = 0; i < state.length; i++) hashes.setInt32(at + 4 * i, state[i]!);
}
