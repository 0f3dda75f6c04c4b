import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { FetchProblem } from "./fetch-problem.ts";
import { formatSize } from "./size.ts";

/** The facts about a body that was received and unpacked. */
export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly endsWithLineEnd: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

async function* limited(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new FetchProblem(`is larger than ${formatSize(maxBytes)} (fetch.size)`);
    }
    yield piece;
  }
}

/** Unpacks gzip. A truncated stream is an error, and so is any data after its end. */
async function* unpacked(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let given = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of body) {
      given += piece.length;
      yield piece;
    }
  }
  // An error in the body becomes an error of the unpacked stream.
  pipeline(counted(), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw error;
    const isCut = code === "Z_BUF_ERROR";
    const what = isCut ? "was cut short: its gzip data ends early" : "sent damaged gzip data";
    throw new FetchProblem(what, { cause: error });
  }
  // Node ignores everything after a gzip member that is followed by a zero byte, including further members.
  if (given > gunzip.bytesWritten) throw new FetchProblem("sent damaged gzip data");
}

/** Unpacks a body that begins like a gzip file, whatever its name or media type is. */
async function* unpackedIfGzip(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  let isDone = false;
  while (start.length < 2 && !isDone) {
    const next = await pieces.next();
    if (next.done) isDone = true;
    else start = Buffer.concat([start, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield start;
      if (!isDone) yield* { [Symbol.asyncIterator]: () => pieces };
    } finally {
      await pieces.return?.();
    }
  }
  yield* start[0] === 0x1f && start[1] === 0x8b ? unpacked(all()) : all();
}

function decoded(message: IncomingMessage, body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const coding = (message.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (coding === "identity" || coding === "") return body;
  if (coding === "gzip" || coding === "x-gzip") return unpacked(body);
  throw new FetchProblem(
    `is encoded as ${JSON.stringify(coding)}, although only gzip was asked for`,
  );
}

/**
 * Unpacks the body of an answer, and appends it to a file.
 *
 * Throws if the body is shorter than the server announced.
 */
export async function receive(
  message: IncomingMessage,
  file: FileHandle,
  maxBytes: number,
): Promise<Received> {
  const hash = createHash("sha256");
  let bytes = 0;
  let last = LF;
  const body = limited(unpackedIfGzip(decoded(message, limited(message, maxBytes))), maxBytes);
  for await (const piece of body) {
    if (piece.length === 0) continue;
    hash.update(piece);
    await file.appendFile(piece);
    bytes += piece.length;
    last = piece.at(-1)!;
  }
  const endsWithLineEnd = last === LF || last === CR;
  return { bytes, sha256: hash.digest("hex"), endsWithLineEnd };
}
