import { setImmediate as nextTurn } from "node:timers/promises";
import type { Storage, StoreError } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Answering } from "../answering.ts";
import { type FairQueue, fairQueue } from "../fairness/fair-queue.ts";
import { type Shares, shares } from "../fairness/shares.ts";
import { privateHeaders, publicFor } from "../http/cache-headers.ts";
import { readableBy } from "../http/cross-origin.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { problemReply, type Reply, type StreamReply } from "../http/reply.ts";
import type { RequestHead } from "../http/request.ts";
import type { ServedVersion } from "../lists/served-version.ts";
import { isListOfSafeSites } from "../lists/threat-rows.ts";
import { loadedOf } from "../lists/unavailable.ts";
import { clamAvDatabase } from "./clamav-database.ts";
import { bytesOf, type ExportedText, etagOf, lengthOf } from "./exported-text.ts";
import { ageOfCopy, servedSince } from "./last-modified.ts";
import { hasPublicNames, responsePolicyZone } from "./response-policy-zone.ts";

/**
 * Answers requests for lists as files for other programs: `/export/NAME.gdb` for ClamAV and `/export/NAME.rpz` for
 * resolvers.
 */
export type AnswerExport = (request: RequestHead) => Promise<Reply | StreamReply>;

const FILE = /^\/export\/([a-z0-9-]+)\.(gdb|rpz)$/;
/** How many files may be sent at the same time. Each takes one or two megabytes of memory. */
const STREAMS = { total: 128, perClient: 16 };
/**
 * Pieces of files are made one at a time, because the first piece of each shard takes a while. At most one piece of
 * each stream waits.
 */
const PIECES = { atOnce: 1, perClient: 128, total: 128, refusal: tooManyFiles };

/**
 * The API key in a request. Programs that can send the key neither in its own header nor as a parameter send it as the
 * password in HTTP Basic authentication.
 */
function keyOf({ headers }: RequestHead, parameters: URLSearchParams): string | null {
  const [, basic] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const password = /^[^:]*:(.+)$/.exec(Buffer.from(basic ?? "", "base64").toString("latin1"))?.[1];
  return parameters.get("key") ?? headers.get("x-goog-api-key") ?? password ?? null;
}

/** The requested list and file format. Throws if the file does not exist or the client may not have it. */
function fileAskedFor({ lists, keys }: Answering, request: RequestHead) {
  const { path, query } = request;
  const [, name, form = ""] = FILE.exec(path) ?? [];
  const served = lists.all().find((list) => list.name === name);
  if (served === undefined) {
    throw new HttpProblem(404, "No list has this file: use /export/NAME.gdb or /export/NAME.rpz.");
  }
  if (isListOfSafeSites(served.row)) {
    throw new HttpProblem(
      404,
      `${served.name} is a list of safe sites, and programs would block them.`,
    );
  }
  if (request.method !== "GET") throw new HttpProblem(405, "Use GET.", { Allow: "GET, HEAD" });
  if (!keys.opens(keyOf(request, new URLSearchParams(query)), served.name)) {
    throw new HttpProblem(403, "The list can be read only with one of its API keys.");
  }
  return { served, form };
}

async function textOf(
  storage: Storage,
  answering: Answering,
  loaded: ServedVersion,
  form: string,
): Promise<ExportedText> {
  if (loaded.hashLayers === undefined) {
    throw new HttpProblem(
      404,
      `The list ${loaded.entry.manifest.list} has no files: it comes from another server, which gives only hash prefixes. ClamAV needs full hashes, and resolvers need names.`,
    );
  }
  if (form === "gdb") return clamAvDatabase(loaded);
  const { list } = loaded.entry.manifest;
  if (!answering.keys.isPrivate(list) && !(await hasPublicNames(storage, loaded))) {
    throw new HttpProblem(
      403,
      `A zone shows host names, so it is served only for private lists: name ${list} in the file of serve --keys, or publish it with --public-names ${list}.`,
    );
  }
  const zone = await responsePolicyZone(storage, loaded, answering);
  if (zone !== null) return zone;
  throw new HttpProblem(
    404,
    `The store has only hashes of the list ${list}: publish it with --keep-names ${list}.`,
  );
}

function unreadable({ message }: StoreError): HttpProblem {
  return new HttpProblem(503, `The list is not available: ${message}.`, { "Retry-After": "60" });
}

function tooManyFiles(): HttpProblem {
  return new HttpProblem(503, "Too many files are being sent.", { "Retry-After": "60" });
}

/** Yields the pieces of a file. Clients take turns. */
async function* limited(
  text: ExportedText,
  network: string,
  streams: Shares,
  making: FairQueue,
): AsyncGenerator<Uint8Array> {
  // Take a place only now: a stream that is never read, because its client has left, would never give its place back.
  // Another client may have taken the last place in the meantime.
  if (!streams.take(network)) throw tooManyFiles();
  try {
    const pieces = bytesOf(text);
    const nextPiece = async () => {
      await nextTurn();
      return pieces.next();
    };
    for (let left = lengthOf(text); ; ) {
      // When nothing is left, do not wait for a turn, so that the answer ends as soon as the client has all of it.
      const { value, done } = await (left > 0 ? making.run(network, nextPiece) : pieces.next());
      if (done) return;
      left -= value.length;
      yield value;
    }
  } finally {
    streams.giveBack(network);
  }
}

export function createExport(
  answering: Answering,
  storage: Storage,
  now: () => number = Date.now,
): AnswerExport {
  const { keys, origins, cache } = answering;
  const since = servedSince();
  const streams = shares(STREAMS);
  const making = fairQueue(PIECES);

  async function answer(request: RequestHead): Promise<Reply | StreamReply> {
    const { served, form } = fileAskedFor(answering, request);
    const loaded = loadedOf(served);
    const text = await textOf(storage, answering, loaded, form);
    const etag = etagOf(text);
    const time = now();
    const modified = since.lastModified(request.path, etag, time);
    const copy = ageOfCopy(request.headers, etag, modified, time);
    const isPrivate = keys.isPrivate(served.name);
    const headers = {
      ...copy.headers,
      ...privateHeaders(text.contentType, readableBy(isPrivate, origins, request.headers)),
      ...(!isPrivate && { "Cache-Control": publicFor(cache) }),
    };
    const { list, version } = loaded.entry.manifest;
    const common = { headers, route: `export.${form}`, facts: { list, version } };
    if (copy.isCurrent) return { ...common, status: 304, body: new Uint8Array(0) };
    const network = request.network();
    if (!streams.canTake(network)) throw tooManyFiles();
    return {
      ...common,
      status: 200,
      headers: { ...headers, "Content-Length": String(lengthOf(text)) },
      stream: limited(text, network, streams, making),
    };
  }

  return (request) =>
    answer(request).catch((error) => {
      const isOfStore = hasName<StoreError>(error, "StoreError");
      return problemReply("export", isOfStore ? unreadable(error) : error);
    });
}
