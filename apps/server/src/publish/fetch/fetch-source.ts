import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { formatDuration } from "@x/command-line";
import type { SourceReport } from "../read-sources.ts";
import type { Source } from "../source.ts";
import {
  type Copy,
  newCopy,
  type Received,
  readNewContents,
  touchCopy,
  urlHash,
} from "./last-good-copy.ts";
import {
  type Answer,
  askFor,
  FetchProblem,
  MAX_IDLE,
  problemOf,
  type Reach,
} from "./send-request.ts";
import { formatSize } from "./size.ts";
import type { SourceUrl } from "./source-url.ts";

/**
 * When a copy is this old, in milliseconds, its source is fetched again in full, because some servers answer 304
 * although the source has changed.
 */
const TRUSTED = 24 * 60 * 60 * 1000;

export interface FetchSettings {
  readonly reach: Reach;
  readonly maxBytes: number;
  /** The longest time that a fetch may take, in milliseconds. */
  readonly maxTime: number;
  /** Whether an answer with status 304 updates the time at which the copy was last checked. */
  readonly remembers: boolean;
}

export interface Fetching extends FetchSettings {
  /** Checks the received contents. Returns a report on their problems, or `null` if they may be published. */
  readonly check: (source: Source) => Promise<SourceReport | null>;
  /** The last good copy, or `null` if there is none. */
  readonly copy: Copy | null;
  /** The file for the next copy. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/**
 * Fetches a source if it has changed since the last good copy. Returns the copy that is now in use.
 *
 * @throws {FetchProblem} if the source cannot be fetched or its contents are not good. The last good copy stays as it
 * was.
 */
export async function fetchSource(source: SourceUrl, fetching: Fetching): Promise<Copy> {
  const { copy, reach, maxTime, signal, remembers } = fetching;
  const age = Date.now() - (copy?.fetched ?? 0);
  const aborter = new AbortController();
  const abort = (message: string) => aborter.abort(new FetchProblem(message));
  const end = () => abort("was not fetched, because this process is ending");
  const timer = setTimeout(
    () => abort(`took longer than ${formatDuration(maxTime)} (fetch.time)`),
    maxTime,
  );
  signal.addEventListener("abort", end);
  try {
    if (signal.aborted) end();
    const answer = await askFor(source, {
      reach,
      validatorsFor: (url) =>
        copy?.answeredBy === urlHash(url) && age >= 0 && age < TRUSTED ? copy : null,
      signal: aborter.signal,
      onIdle: () => abort(`sent nothing for ${formatDuration(MAX_IDLE)}`),
    });
    if (answer.message.statusCode !== 304) return await keepAnswer(answer, source, fetching);
    answer.message.destroy();
    if (!answer.isConditional || copy === null) {
      throw new FetchProblem("answered that nothing has changed, although it was not asked");
    }
    return remembers ? await touchCopy(copy, Date.now()) : copy;
  } catch (error) {
    throw problemOf(aborter.signal.aborted ? aborter.signal.reason : error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** Keeps the received contents as the new copy, if `check` accepts them. */
async function keepAnswer(
  { url, message }: Answer,
  { shown }: SourceUrl,
  { copy, file, maxBytes, check }: Fetching,
): Promise<Copy> {
  const next = await newCopy(file);
  try {
    const received = await receive(message, await next.begin(), maxBytes);
    if (received.sha256 !== copy?.sha256) {
      const report = await check({
        name: shown,
        pieces: () => readNewContents(next.file),
        size: async () => received.bytes,
        sha256: async () => received.sha256,
      });
      if (report !== null) {
        const what = received.bytes === 0 ? "an empty file" : "what cannot be published";
        throw new FetchProblem(`sent ${what}`, { report });
      }
      if (copy?.endsWithLineEnd && !received.endsWithLineEnd) {
        throw new FetchProblem(
          `ends in the middle of a line, unlike the last good copy; if that is right, remove ${copy.file}`,
        );
      }
    }
    return await next.keep({
      ...received,
      source: shown,
      answeredBy: urlHash(url),
      fetched: Date.now(),
      etag: message.headers.etag ?? null,
      lastModified: message.headers["last-modified"] ?? null,
    });
  } finally {
    message.destroy();
    await next.close();
  }
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Unpacks the body of an answer, and appends it to a file.
 *
 * Throws if the body is shorter than the server announced.
 */
async function receive(
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
