import { once } from "node:events";
import { createGunzip } from "node:zlib";
import { reasonOf } from "@x/command-line/node";
import { Damage } from "./damage.ts";

type Pieces = AsyncIterable<Uint8Array>;

const GZIP = [0x1f, 0x8b, 0x08];
const PIECE_BYTES = 2 ** 17;

/** Whether {@link decompressed} can read a file that begins with these bytes. */
export function isUnpacked(start: Uint8Array): boolean {
  return GZIP.every((byte, i) => byte === start[i]);
}

/**
 * The contents of a file that may be compressed with gzip, which the first bytes of the file decide.
 *
 * @throws {Damage} when compressed data is cut off or damaged, when something else follows it, or when only the name of
 * the file says that it is compressed.
 */
export async function* decompressed(pieces: Pieces, file: string): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const found: Uint8Array[] = [];
  let start = new Uint8Array(0);
  // No gzip file begins with a line end, so a complete line is never held back here.
  const mayBeGzip = (): boolean => start.every((byte, i) => byte === GZIP[i]);
  try {
    do {
      const { done, value } = await iterator.next();
      if (done) break;
      found.push(value);
      start = Buffer.concat([start, value.subarray(0, GZIP.length)]).subarray(0, GZIP.length);
    } while (mayBeGzip() && start.length < GZIP.length);
    const all = joined(found, iterator);
    if (isUnpacked(start)) yield* gunzip(all);
    else if (/\.gz$/i.test(file)) {
      throw new Damage("it is not compressed, although its name says so");
    } else yield* all;
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
