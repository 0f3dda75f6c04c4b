import { Decompress } from "fzstd";
import { createXXHash64 } from "hash-wasm";
import { Damage } from "./damage.ts";

/*
 * RFC 8878 §3.1. This file splits the frames into blocks and verifies the checksums of the frames; fzstd decompresses
 * the blocks.
 */

const FRAME = 0xfd2fb528;
const SKIPPABLE_FRAME = 0x184d2a50;
const BYTES_OF_DICTIONARY_ID = [0, 1, 2, 4];
const BYTES_OF_CONTENT_SIZE = [0, 2, 4, 8];
/**
 * The maximum length of the window, which is the earlier output that the decompressor keeps. By default, the command
 * zstd has the same limit.
 */
const MAX_WINDOW_BYTES = 2 ** 27;
const MAX_BLOCK_BYTES = 2 ** 17;
const RLE = 1;
const RESERVED = 3;

const damaged = (why: string): Damage => new Damage(`it is damaged (${why})`);

/** Reads a given number of bytes from chunks of any length. */
function byteSource(pieces: AsyncIterable<Uint8Array>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let piece: Uint8Array = new Uint8Array(0);
  let used = 0;
  /** Whether there is another byte. */
  async function more(): Promise<boolean> {
    while (used === piece.length) {
      const { done, value } = await iterator.next();
      if (done) return false;
      piece = value;
      used = 0;
    }
    return true;
  }
  /** Reads at least one byte and at most `most` bytes. */
  async function some(most: number): Promise<Uint8Array> {
    if (!(await more())) throw new Damage("it is cut off");
    const bytes = piece.subarray(used, used + most);
    used += bytes.length;
    return bytes;
  }
  return {
    more,
    take: async (length: number): Promise<Buffer> => {
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; ) {
        const part = await some(length - at);
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
    skip: async (length: number): Promise<void> => {
      for (let left = length; left > 0; ) left -= (await some(left)).length;
    },
  };
}

/** Reads the length of the contents of a frame from a field of its header; `null` when the field is absent. */
function sizeIn(field: Buffer): number | null {
  if (field.length === 0) return null;
  if (field.length === 8) return Number(field.readBigUInt64LE());
  return field.readUIntLE(0, field.length) + (field.length === 2 ? 256 : 0);
}

/** Returns the window length that the window descriptor of a frame encodes. */
function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Reads the header of a frame (§3.1.1.1). `contentSize` is `null` when the header does not contain it. */
async function frameHeader(source: ReturnType<typeof byteSource>, magic: Buffer) {
  if (magic.readUInt32LE() !== FRAME) {
    throw new Damage("something else follows the compressed data");
  }
  const first = await source.take(1);
  const descriptor = first[0]!;
  if ((descriptor & 0x08) !== 0) throw damaged("a reserved bit is set");
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const sizeBytes = BYTES_OF_CONTENT_SIZE[descriptor >> 6]! || (isSingleSegment ? 1 : 0);
  const idBytes = BYTES_OF_DICTIONARY_ID[descriptor & 3]!;
  const rest = await source.take((isSingleSegment ? 0 : 1) + idBytes + sizeBytes);
  if (idBytes > 0) throw new Damage("it needs a dictionary");
  const size = sizeIn(rest.subarray(rest.length - sizeBytes));
  if ((isSingleSegment ? size! : windowSize(rest[0]!)) > MAX_WINDOW_BYTES) {
    throw new Damage("it was compressed with a window of more than 128 MiB");
  }
  return { bytes: Buffer.concat([magic, first, rest]), contentSize: size, hasChecksum };
}

/**
 * The contents of a file that is compressed with Zstandard. `onUnchecked` is called for each frame without a checksum:
 * damage in it may go unnoticed.
 *
 * @throws {Damage} when the compressed data is cut off or damaged, is followed by something else, needs a dictionary,
 * or has a window of more than 128 MiB.
 */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
  onUnchecked: () => void,
): AsyncGenerator<Uint8Array> {
  const source = byteSource(pieces);
  const hash = await createXXHash64();
  while (await source.more()) {
    const magic = await source.take(4);
    if ((magic.readUInt32LE() & 0xfffffff0) >>> 0 === SKIPPABLE_FRAME) {
      await source.skip((await source.take(4)).readUInt32LE());
      continue;
    }
    const frame = await frameHeader(source, magic);
    let produced = 0;
    const out: Uint8Array[] = [];
    const decompressor = new Decompress((piece) => out.push(piece));
    const push = (bytes: Uint8Array, isLast = false): void => {
      try {
        decompressor.push(bytes, isLast);
      } catch (error) {
        throw damaged((error as Error).message);
      }
      for (const piece of out) {
        hash.update(piece);
        produced += piece.length;
      }
    };
    hash.init();
    push(frame.bytes);
    for (let isLast = false; !isLast; ) {
      const header = await source.take(3);
      const bits = header.readUIntLE(0, 3);
      isLast = (bits & 1) === 1;
      const type = (bits >> 1) & 3;
      const size = bits >> 3;
      if (type === RESERVED || size > MAX_BLOCK_BYTES) throw damaged("a block is not valid");
      push(Buffer.concat([header, await source.take(type === RLE ? 1 : size)]));
      yield* out.splice(0);
    }
    const checksum = await source.take(frame.hasChecksum ? 4 : 0);
    push(checksum, true);
    yield* out.splice(0);
    if (frame.contentSize !== null && produced !== frame.contentSize)
      throw damaged("its length is wrong");
    if (!frame.hasChecksum) onUnchecked();
    const digest = Number.parseInt(hash.digest().slice(-8), 16);
    if (frame.hasChecksum && checksum.readUInt32LE() !== digest) {
      throw damaged("its checksum is wrong");
    }
  }
}
