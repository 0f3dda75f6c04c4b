import { once } from "node:events";
import { fstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { Failure, shellWord } from "@x/command-line";
import { failTo, reasonOf } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { type LineBlock, lineReader, linesIn } from "@x/lookup/lines";
import type { Io } from "../context.ts";

/** Called for each chunk with its length in bytes. */
export type OnRead = (bytes: number) => void;

/**
 * The bytes of a file or, for `-`, of stdin, in chunks as they arrive.
 *
 * @throws {Failure} when the file cannot be read.
 */
export async function* readPieces(
  file: string,
  { stdin }: Pick<Io, "stdin">,
): AsyncGenerator<Uint8Array> {
  const fail = failTo(`read ${nameOf(file)}`);
  if (file === "-") refuseDirectory(stdin);
  const { stream, size } = file === "-" ? { stream: stdin, size: 0 } : await openFile(file, fail);
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<string | Uint8Array>;
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch(fail);
      if (done) break;
      bytes += value.length;
      yield typeof value === "string" ? Buffer.from(value) : value;
    }
  } finally {
    await pieces.return?.();
  }
  if (bytes < size) fail("it became shorter while it was read");
}

/** The size of a chunk, large enough that processing it takes longer than passing it on. */
const PIECE_BYTES = 2 ** 17;

/** Opens a file. Returns its stream and its size in bytes; 0 when the size is not known. */
async function openFile(file: string, fail: (error: unknown) => never) {
  const handle = await open(file).catch((error) => {
    if (/^https?:\/\//i.test(file)) refuseUrl(file);
    return fail(error);
  });
  const stats = await handle.stat().catch(fail);
  return {
    stream: handle.createReadStream({ highWaterMark: PIECE_BYTES }),
    size: stats.isFile() ? stats.size : 0,
  };
}

/** Refuses the URL of a file, because no command fetches files. */
function refuseUrl(url: string): never {
  throw new Failure(
    `${printable(url)} is a URL, not a file: pipe it in, with "-" in its place: curl -fsSL ${printable(shellWord(url))} | urlhash …`,
  );
}

const LINE_FEED = 0x0a;
/** This many bytes are enough to recognize a source without line ends. */
const START_BYTES = 2 ** 16;

/**
 * Passes the chunks on and calls `onStart` once with the beginning of the contents: at least the first line or 64 KiB,
 * if there is that much. One chunk may not be enough, because a pipe may send only a few bytes at first. An error that
 * `onStart` throws ends the reading.
 */
export async function* withStart(
  pieces: AsyncIterable<Uint8Array>,
  onStart: (start: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let start: Uint8Array[] | null = [];
  let bytes = 0;
  for await (const piece of pieces) {
    if (start !== null) {
      start.push(piece);
      bytes += piece.length;
      if (bytes >= START_BYTES || piece.includes(LINE_FEED)) {
        onStart(start.length === 1 ? piece : Buffer.concat(start));
        start = null;
      }
    }
    yield piece;
  }
  if (start !== null && bytes > 0) onStart(Buffer.concat(start));
}

/** Formats the name of a file for messages. */
export function nameOf(file: string): string {
  if (file === "-") return "stdin";
  return file === "" ? "''" : printable(file);
}

/** Refuses a directory on stdin, which Node would read as an empty stream. */
function refuseDirectory(stdin: Io["stdin"]): void {
  const { fd } = stdin as { fd?: number };
  if (fd !== undefined && fstatSync(fd).isDirectory()) {
    throw new Failure("cannot read stdin: it is a directory");
  }
}

/**
 * The lines of a file or, for `-`, of stdin, in blocks as they arrive. A block is valid only until the next one is
 * read. A file may be compressed, but stdin may not.
 *
 * @param onStart called with the beginning of the contents. An error that it throws ends the reading.
 * @throws {Failure} when the file cannot be read.
 */
export async function* readBlocks(
  file: string,
  io: Pick<Io, "stdin">,
  onRead: OnRead = () => {},
  onStart: (start: Uint8Array) => void = () => {},
): AsyncGenerator<LineBlock> {
  const reader = lineReader();
  const bytes = counted(readPieces(file, io), onRead);
  const pieces = file === "-" ? bytes : decompressed(bytes, file);
  let lines = 0;
  try {
    for await (const piece of withStart(pieces, onStart)) {
      const block = reader.push(piece);
      lines += block.lines;
      yield block;
    }
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new Failure(`cannot read ${nameOf(file)}: ${error.message}, after line ${lines}`);
  }
  yield reader.end();
}

/** Passes chunks on and calls `onRead` with the length of each chunk. */
export async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  onRead: OnRead,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onRead(piece.length);
    yield piece;
  }
}

/** A line that is not blank. */
interface FileLine {
  /** The number of the line, from 1; blank lines count. */
  readonly number: number;
  /** The bytes of the line, without the line ending. This view is valid only until the next block is read. */
  readonly bytes: Uint8Array;
}

/** Yields the lines of a block that are not blank. */
export function* fileLines(block: LineBlock): Generator<FileLine, void, undefined> {
  for (const { line, start, end } of linesIn(block)) {
    yield { number: line + 1, bytes: block.bytes.subarray(start, end) };
  }
}

/** Returns the files that the arguments name, or stdin if there are no arguments. */
export function filesOf(args: readonly string[], { stdin, stderr }: Io): readonly string[] {
  if (args.length > 0) return args;
  if (stdin.isTTY) stderr.write("urlhash: reading text from the terminal; press Ctrl-D to end\n");
  return ["-"];
}

type Pieces = AsyncIterable<Uint8Array>;

const GZIP = [0x1f, 0x8b, 0x08];
const UNPACKED_BYTES = 2 ** 17;

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
  const stream = createGunzip({ chunkSize: UNPACKED_BYTES });
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

/** Thrown when compressed input cannot be read. The message gives the reason in one clause. */
class Damage extends Error {
  override readonly name = "Damage";
}
