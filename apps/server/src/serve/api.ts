import { createHash, type Hash } from "node:crypto";
import {
  type AnyMethod,
  type HttpRequest,
  readRequest,
  type WireRequest,
  writeResponse,
  writeResponseParts,
} from "@x/wire";
import { searchHashes } from "@x/wire/v5";
import { answerCache, type CachedAnswer } from "./answer-cache.ts";
import type { Answering } from "./answering.ts";
import { privateHeaders } from "./http/cache-headers.ts";
import { hasTag } from "./http/etag.ts";
import { bodyOf, type LargeBody } from "./http/large-body.ts";
import { LARGE_REQUEST_BYTES } from "./http/read-body.ts";
import { type LargeReply, problemReply, type Reply } from "./http/reply.ts";
import type { Client } from "./http/request.ts";
import { memoized } from "./memoized.ts";
import type { Answered } from "./protocols/call.ts";
import {
  API_ROUTE,
  type CallRunner,
  LARGE_VALUE_BYTES,
  loggedFacts,
  MESSAGE_LIMITS,
  type ServedMethod,
} from "./protocols/run-calls.ts";
import { type MaybePromise, perform, type Steps } from "./steps.ts";

/** A request to the API, and who sent it. */
export interface ApiRequest extends HttpRequest, Client {
  readonly headers: { get(name: string): string | null };
}

/** The methods of all protocols over HTTP. */
export interface Api {
  answer(request: ApiRequest): MaybePromise<Reply | LargeReply>;
  /** Call this when the lists have changed. */
  forgetAnswers(): void;
}

const EMPTY = new Uint8Array(0);

/** The body of an answer. */
interface WrittenAnswer {
  readonly contentType: string;
  readonly body: Uint8Array | LargeBody;
}

/**
 * The entity tag of a body. The large parts are not read. The small parts have the version and the checksum of each
 * list, and these determine the large parts.
 */
function etagOf(body: Uint8Array | LargeBody): string {
  const hash = createHash("sha256");
  if (body instanceof Uint8Array) return tagOf(hash.update(body));
  for (const part of body.parts) {
    if ("base64" in part) hash.update(`\n${part.base64.length}\n`);
    else if (part.length >= LARGE_VALUE_BYTES) hash.update(`\n${part.length}\n`);
    else hash.update(part);
  }
  return tagOf(hash);
}

function tagOf(hash: Hash): string {
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

/** Answers these methods: reads the request, calls the method, writes the answer, and keeps it if others may get it. */
export function createApi(
  answering: Answering,
  calls: CallRunner,
  methods: readonly ServedMethod[],
): Api {
  const cache = answerCache();
  const wireMethods = methods.map(({ method }) => method);
  const servedBy = new Map(methods.map((served) => [served.method, served]));
  let nothingFound: WrittenAnswer | undefined;
  const maxAge = Math.floor(answering.cache / 1000);

  const publicHeaders = memoized((contentType: string) => ({
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": `public, max-age=${maxAge}`,
    // Clients without a key get the public lists; others may get more. The content type of a POST that is sent as a GET
    // decides the format of the answer.
    Vary: "Accept, Content-Type, X-Goog-Api-Key, X-HTTP-Method-Override",
  }));

  function sharedHeaders(
    contentType: string,
    etag: string | null,
    expires: number | null,
  ): Readonly<Record<string, string>> {
    const headers = publicHeaders(contentType);
    if (etag === null && expires === null) return headers;
    return {
      ...headers,
      ...(etag !== null && { ETag: etag }),
      // Send a time rather than `max-age`, which would begin again each time this server sends the answer.
      ...(expires !== null && {
        "Cache-Control": "public",
        Expires: new Date(expires).toUTCString(),
      }),
    };
  }

  /** Whether the times in an answer have passed, or are too far away because the clock was set back. */
  function isStale({ facts: { expires } }: CachedAnswer): boolean {
    const left = expires === null ? null : expires - answering.now();
    return left !== null && (left <= 0 || left > answering.cache);
  }

  function* compute(request: ApiRequest, failed?: readonly number[]): Steps<Reply | LargeReply> {
    try {
      if (request.target.length + (request.body?.length ?? 0) > LARGE_REQUEST_BYTES) {
        yield answering.turns(request.network());
      }
      const asked = readRequest(request, wireMethods, MESSAGE_LIMITS);
      const lists = answering.lists.all();
      const { method, message, key } = asked;
      const answered = yield* calls.run(servedBy.get(method)!, message, key, request, failed);
      // Do not keep an answer that was begun before the lists changed.
      const isCurrent = lists === answering.lists.all();
      return reply(finish(asked, answered, request, isCurrent), request);
    } catch (error) {
      return problemReply(API_ROUTE, error);
    }
  }

  function finish(
    asked: WireRequest<AnyMethod>,
    answered: Answered<unknown>,
    request: ApiRequest,
    isCurrent: boolean,
  ): CachedAnswer {
    const { facts } = answered;
    const { search, expires } = facts;
    const { body, contentType } = write(asked, answered);
    const isShared =
      !facts.isPrivate &&
      request.method === "GET" &&
      // An answer that expires at once may lack entries of some list.
      (expires === null || expires > answering.now()) &&
      // A full update is for the one client whose update failed, not for others with the same version.
      !facts.updates.some(({ reason }) => reason === "repeated");
    // Answers to searches are so short that a check would save nothing.
    const etag = isShared && search === null ? etagOf(body) : null;
    const headers = isShared
      ? sharedHeaders(contentType, etag, expires)
      : privateHeaders(contentType);
    const answer = { body, headers, etag, route: asked.name, facts, logged: loggedFacts(facts) };
    // Most searches are never repeated, and keeping an answer takes longer than searching again.
    const isWorthKeeping = search === null || expires !== null || cache.wasAsked(request.target);
    if (isShared && isWorthKeeping && isCurrent) cache.set(request, answer);
    return answer;
  }

  /** The body of an answer. v5 searches in protobuf that find nothing share one, unless it has its own expiry. */
  function write(
    { method, answer }: WireRequest<AnyMethod>,
    { message, facts: { search, updates, expires } }: Answered<unknown>,
  ): WrittenAnswer {
    if (updates.length > 0) {
      const { contentType, parts } = writeResponseParts(method, message, answer, LARGE_VALUE_BYTES);
      return { contentType, body: bodyOf(parts) };
    }
    const isUsual = method === searchHashes && search?.found === 0 && expires === null;
    if (!isUsual || answer.format !== "protobuf") return writeResponse(method, message, answer);
    nothingFound ??= writeResponse(method, message, answer);
    return nothingFound;
  }

  function reply(answer: CachedAnswer, request: ApiRequest): Reply | LargeReply {
    const { body, headers, etag, route, facts, logged } = answer;
    calls.onAnswered(facts, request);
    const ifNoneMatch = etag === null ? null : request.headers.get("if-none-match");
    if (ifNoneMatch !== null && hasTag(ifNoneMatch, etag!)) {
      return { status: 304, headers, body: EMPTY, route, facts: logged };
    }
    // The records are written out, because copying one takes as long as everything else here.
    return body instanceof Uint8Array
      ? { status: 200, headers, route, facts: logged, body }
      : { status: 200, headers, route, facts: logged, large: body };
  }

  return {
    answer(request) {
      const kept = request.method === "GET" ? cache.get(request) : undefined;
      if (kept === undefined || isStale(kept)) return perform(compute(request));
      const failed = calls.failedFor(kept.facts, request);
      return failed.length > 0 ? perform(compute(request, failed)) : reply(kept, request);
    },
    forgetAnswers: () => cache.clear(),
  };
}
