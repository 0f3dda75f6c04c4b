import { type AnyMethod, type HttpRequest, readRequest, type WireRequest } from "@x/wire";
import { answerCache, type CachedAnswer } from "./answer-cache.ts";
import type { Answering } from "./answering.ts";
import { privateHeaders, sharedHeaders } from "./http/cache-headers.ts";
import { readableBy } from "./http/cross-origin.ts";
import { LARGE_REQUEST_BYTES, MAX_BODY_BYTES } from "./http/read-body.ts";
import { type LargeReply, problemReply, type Reply } from "./http/reply.ts";
import type { Client } from "./http/request.ts";
import type { Answered, CallFacts } from "./protocols/call.ts";
import {
  API_ROUTE,
  type CallRunner,
  loggedFacts,
  type ServedMethod,
} from "./protocols/run-calls.ts";
import { answerWriter, etagOf } from "./protocols/written-answer.ts";

export interface ApiRequest extends HttpRequest, Client {
  readonly headers: { get(name: string): string | null };
}

/** Answers calls to the methods of all protocols over HTTP. */
export interface Api {
  answer(request: ApiRequest): Reply | LargeReply | Promise<Reply | LargeReply>;
  /** Call this when the lists have changed. */
  forgetAnswers(): void;
}

const EMPTY = new Uint8Array(0);

/** Whether an answer has expired, or expires too late because the clock was set back. */
function isStale({ facts: { expires } }: CachedAnswer, { now, cache }: Answering): boolean {
  const left = expires === null ? null : expires - now();
  return left !== null && (left <= 0 || left > cache);
}

/** Whether other clients may get the same answer. */
function isForOthers({ isPrivate, expires, updates }: CallFacts, now: number): boolean {
  return (
    !isPrivate &&
    // An answer that expires at once may lack entries of a list.
    (expires === null || expires > now) &&
    // A repeated update is only for the client whose difference failed, not for others with the same version.
    !updates.some(({ reason }) => reason === "repeated")
  );
}

function reply(calls: CallRunner, answer: CachedAnswer, request: ApiRequest): Reply | LargeReply {
  const { body, headers, etag, route, facts, logged } = answer;
  calls.onAnswered(facts, request);
  const ifNoneMatch = etag === null ? null : request.headers.get("if-none-match");
  if (ifNoneMatch !== null && hasTag(ifNoneMatch, etag!)) {
    return { status: 304, headers, body: EMPTY, route, facts: logged };
  }
  // Both objects are written out, because spreading a common one would take as long as the rest of the function.
  return body instanceof Uint8Array
    ? { status: 200, headers, route, facts: logged, body }
    : { status: 200, headers, route, facts: logged, large: body };
}

/**
 * Creates the API for these methods. The API reads a request, calls the method, writes the answer, and caches the
 * answer if other clients may get it.
 */
export function createApi(
  answering: Answering,
  calls: CallRunner,
  methods: readonly ServedMethod[],
): Api {
  const cache = answerCache();
  const wireMethods = methods.map(({ method }) => method);
  const servedBy = new Map(methods.map((served) => [served.method, served]));
  const write = answerWriter();
  const { origins } = answering;
  const headersOf = sharedHeaders(answering.cache);

  async function compute(
    request: ApiRequest,
    failed?: readonly number[],
  ): Promise<Reply | LargeReply> {
    try {
      if (request.target.length + (request.body?.length ?? 0) > LARGE_REQUEST_BYTES) {
        await answering.turns(request.network());
      }
      const asked = readRequest(request, wireMethods, MESSAGE_LIMITS);
      const lists = answering.lists.all();
      const { method, message, key } = asked;
      const answered = await calls.run(servedBy.get(method)!, message, key, request, failed);
      // An answer must not be cached if the lists changed while it was computed.
      const isCurrent = lists === answering.lists.all();
      return reply(calls, finish(asked, answered, request, isCurrent), request);
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
    const isShared = request.method === "GET" && isForOthers(facts, answering.now());
    // Answers to searches are so short that revalidation would save nothing.
    const etag = isShared && search === null ? etagOf(body) : null;
    const headers = isShared
      ? headersOf(contentType, etag, expires)
      : privateHeaders(contentType, readableBy(facts.isPrivate, origins, request.headers));
    const answer = { body, headers, etag, route: asked.name, facts, logged: loggedFacts(facts) };
    // Most searches are never repeated, and keeping an answer takes longer than searching again.
    const isWorthKeeping = search === null || expires !== null || cache.wasAsked(request.target);
    if (isShared && isWorthKeeping && isCurrent) cache.set(request, answer);
    return answer;
  }

  return {
    answer(request) {
      const kept = request.method === "GET" ? cache.get(request) : undefined;
      if (kept === undefined || isStale(kept, answering)) return compute(request);
      const failed = calls.failedFor(kept.facts, request);
      return failed.length > 0 ? compute(request, failed) : reply(calls, kept, request);
    },
    forgetAnswers: () => cache.clear(),
  };
}

/**
 * Whether the client has the answer with this tag, according to its `If-None-Match` header. The header has one or
 * several tags, which may be weak, or `*` for any tag. Tags are in quotes, so one cannot be a part of another.
 */
function hasTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === "*";
}

/**
 * The limits on a request message. In JSON, 1000 prefixes are 2000 values, and 100 lists with their constraints are
 * 1500 values. Requests may not name more prefixes or lists.
 */
const MESSAGE_LIMITS = { maxBytes: MAX_BODY_BYTES, maxValues: 2 ** 12 };
