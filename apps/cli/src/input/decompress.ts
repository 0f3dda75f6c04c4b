import { once } from "node:events";
import { createGunzip } from "node:zlib";
import { reasonOf } from "@x/command-line/node";
import { Damage } from "./damage.ts";

type Pieces = AsyncIterable<Uint8Array>;

interface Compression {
  /** The usual extension of files in this format. */
  readonly extension: RegExp;
  /** Whether a file in this format may begin with these bytes, at most {@link START_BYTES} of them. */
  readonly mayStart: (bytes: Uint8Array) => boolean;
  readonly decompress: (pieces: Pieces, onUnchecked: () => void) => Pieces;
}

/** Whether {@link decompressed} can read a file that begins with these bytes. */
export function isUnpacked(start: Uint8Array): boolean {
  return COMPRESSIONS.some(({ mayStart }) => mayStart(start));
}

const START_BYTES = 4;
const PIECE_BYTES = 2 ** 17;

const hasStart = (bytes: Uint8Array, start: readonly number[]): boolean =>
  bytes.subarray(0, start.length).every((byte, i) => byte === start[i]);

/**
 * Whether the bytes begin a skippable frame, which contains data for other programs. Skippable frames begin with one of
 * sixteen numbers.
 */
const isSkippable = (bytes: Uint8Array): boolean =>
  (bytes[0]! & 0xf0) === 0x50 && hasStart(bytes.subarray(1), [0x2a, 0x4d, 0x18]);

const COMPRESSIONS: readonly Compression[] = [
  {
    extension: /\.gz$/i,
    mayStart: (bytes) => hasStart(bytes, [0x1f, 0x8b, 0x08]),
    decompress: gunzip,
  },
  {
    extension: /\.zstd?$/i,
    mayStart: (bytes) => hasStart(bytes, [0x28, 0xb5, 0x2f, 0xfd]) || isSkippable(bytes),
    decompress: async function* (pieces, onUnchecked) {
      const { unzstd } = await import("./unzstd.ts");
      yield* unzstd(pieces, onUnchecked);
    },
  },
];

/**
 * The contents of a file that may be compressed with gzip or Zstandard. The first bytes of the file determine the
 * compression. `onUnchecked` is called for compressed data without a checksum: damage in it may go unnoticed.
 *
 * @throws {Damage} when compressed data is cut off or damaged, when something else follows it, or when only the name of
 * the file says that it is compressed.
 */
export async function* decompressed(
  pieces: Pieces,
  file: string,
  onUnchecked: () => void = () => {},
): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const found: Uint8Array[] = [];
  let start = new Uint8Array(0);
  let compression: Compression | undefined;
  try {
    do {
      const { done, value } = await iterator.next();
      if (done) break;
      found.push(value);
      start = Buffer.concat([start, value.subarray(0, START_BYTES)]).subarray(0, START_BYTES);
      // No compressed file begins with a line end, so a complete line is never held back here.
      compression = COMPRESSIONS.find(({ mayStart }) => mayStart(start));
    } while (compression !== undefined && start.length < START_BYTES);
    const all = joined(found, iterator);
    if (compression !== undefined && start.length === START_BYTES) {
      yield* compression.decompress(all, onUnchecked);
    } else if (COMPRESSIONS.some(({ extension }) => extension.test(file))) {
      throw new Damage("it is not compressed, although its name says so");
    } else {
      yield* all;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzip(pieces: Pieces): AsyncGenerator<Uint8Array> {
  const stream = createGunzip({ chunkSize: PIECE_BYTES });
  const closed = once(stream, "close").catch(() => {});
  let bytes = 0;
  let failure: unknown = null;
  const feed = async (): Promise<void> => {
    for await (const piece of pieces) {
      bytes += piece.length;
      // The stream ends before it has read all input if something else follows the compressed data.
      if (stream.readableEnded || stream.destroyed) return;
      await Promise.race([new Promise((resolve) => stream.write(piece, resolve)), closed]);
    }
    stream.end();
  };
  const fed = feed().catch((error) => {
    failure = error;
    stream.destroy();
  });
  try {
    for await (const piece of stream) yield piece;
  } catch (error) {
    if (failure === null) throw new Damage(`it is damaged or cut off (${reasonOf(error)})`);
  } finally {
    stream.destroy();
    await fed;
  }
  if (failure !== null) throw failure;
  if (stream.bytesWritten < bytes) throw new Damage("something else follows the compressed data");
}
