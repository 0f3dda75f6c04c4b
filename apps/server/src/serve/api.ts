import { createHash } from "node:crypto";
import {
  type AnyMethod,
  type HttpRequest,
  readRequest,
  type WireRequest,
  writeResponse,
  writeResponseParts,
} from "@x/wire";
import { findThreatMatches } from "@x/wire/v4";
import { searchHashes, searchUrls } from "@x/wire/v5";
import { searchUris } from "@x/wire/web-risk";
import { answerCache, type CachedAnswer } from "./answer-cache.ts";
import type { Answering } from "./answering.ts";
import { LARGE_REQUEST_BYTES, MAX_BODY_BYTES } from "./http/answer-request.ts";
import { bodyOf, type LargeBody } from "./http/large-answer.ts";
import {
  cachedHeaders,
  type LargeReply,
  privateHeaders,
  problemReply,
  type Reply,
  readableBy,
} from "./http/reply.ts";
import type { Client } from "./http/request.ts";
import { noLists } from "./lists/served-lists.ts";
import { logFields } from "./log.ts";
import type { Answered, Call, CallFacts } from "./protocols/call.ts";
import { failedUpdates } from "./updates/decide-update.ts";

export interface ApiRequest extends HttpRequest, Client {
  readonly headers: { get(name: string): string | null };
}

/** Answers calls to the methods of all protocols over HTTP. */
export interface Api {
  answer(request: ApiRequest): Reply | LargeReply | Promise<Reply | LargeReply>;
  /** Call this when the lists have changed. */
  forgetAnswers(): void;
}

/** A method and the function that answers calls to it. */
export interface ServedMethod {
  readonly method: AnyMethod;
  // biome-ignore lint/suspicious/noExplicitAny: the message of the method
  readonly call: Call<any>;
}

export function served<M extends AnyMethod>(method: M, call: Call<M>): ServedMethod {
  return { method, call };
}

/** The route under which the log and the metrics record errors, whichever method was called. */
const API_ROUTE = "api";
/**
 * The limits on a request message. In JSON, 1000 prefixes are 2000 values, and 100 lists with their constraints are
 * 1500 values. Requests may not name more prefixes or lists.
 */
const MESSAGE_LIMITS = { maxBytes: MAX_BODY_BYTES, maxValues: 2 ** 12 };
/** A value of at least this many bytes is shared by all answers that contain it. */
const LARGE_VALUE_BYTES = 2 ** 14;
/** The methods whose requests have whole URLs, which the caches of proxies should not store. */
const WITH_URLS: readonly AnyMethod[] = [searchUrls, findThreatMatches, searchUris];
const EMPTY = new Uint8Array(0);

/**
 * Creates the API for these methods. The API reads a request, calls the method, writes the answer, and caches the
 * answer if other clients may get it. `onAnswered` is called with the facts of each answer.
 */
export function createApi(
  answering: Answering,
  methods: readonly ServedMethod[],
  onAnswered: (facts: CallFacts) => void,
): Api {
  const { lists, now, origins } = answering;
  const cache = answerCache();
  const wireMethods = methods.map(({ method }) => method);
  const callOf = new Map(methods.map(({ method, call }) => [method, call]));
  const forAllCaches = cachedHeaders("public", answering.cache);
  const forClientCaches = cachedHeaders("private", answering.cache);
  const failures = failedUpdates(answering.wait, now);
  /** v5 searches in protobuf that find nothing share one answer, unless the answer has an expiry time of its own. */
  let nothingFound: ReturnType<typeof writeResponse> | undefined;

  /** Answers from the cache, unless a difference in the cached answer seems to have failed. */
  function answer(request: ApiRequest): ReturnType<Api["answer"]> {
    const kept = request.method === "GET" ? cache.get(request) : undefined;
    if (kept === undefined || isStale(kept)) return compute(request, []);
    const keys = keysOf(kept.facts, request);
    const failed = keys.length === 0 ? keys : keys.filter((key) => failures.hasFailed(key));
    return failed.length > 0 ? compute(request, failed) : reply(kept, request);
  }

  /** Whether an answer has expired, or expires too late because the clock was set back. */
  function isStale({ facts: { expires } }: CachedAnswer): boolean {
    const left = expires === null ? null : expires - now();
    return left !== null && (left <= 0 || left > answering.cache);
  }

  /** A key for each difference in an answer, made from the client and the token that the difference starts from. */
  function keysOf({ updates }: CallFacts, client: Client): readonly number[] {
    let keys: readonly number[] = [];
    for (const { from } of updates) {
      if (from !== null) keys = [...keys, failures.keyOf(client.client(), from)];
    }
    return keys;
  }

  /** Calls the method. `failed` are the keys of differences that the client seems to have failed to apply. */
  async function compute(
    request: ApiRequest,
    failed: readonly number[],
  ): Promise<Reply | LargeReply> {
    try {
      if (request.target.length + (request.body?.length ?? 0) > LARGE_REQUEST_BYTES) {
        await answering.turns(request.network());
      }
      const asked = readRequest(request, wireMethods, MESSAGE_LIMITS);
      const before = lists.all();
      if (before.length === 0) throw noLists();
      const caller = {
        key: asked.key,
        network: () => request.network(),
        hasFailed(token: string) {
          const key = failures.keyOf(request.client(), token);
          return failed.includes(key) || failures.hasFailed(key);
        },
      };
      const answered = await callOf.get(asked.method)!(asked.message, caller, answering);
      // An answer must not be cached if the lists changed while it was computed.
      return reply(finish(asked, answered, request, before === lists.all()), request);
    } catch (error) {
      return problemReply(API_ROUTE, error);
    }
  }

  /** Writes an answer, and caches it if that is worth the memory. */
  function finish(
    asked: WireRequest<AnyMethod>,
    answered: Answered<unknown>,
    request: ApiRequest,
    isCurrent: boolean,
  ): CachedAnswer {
    const { facts } = answered;
    const { search, expires } = facts;
    const { body, contentType } = write(asked, answered);
    const isShared = request.method === "GET" && isForOthers(facts, now());
    // Answers to searches are so short that revalidation would save nothing.
    const etag = isShared && search === null ? etagOf(body) : null;
    const cached = WITH_URLS.includes(asked.method) ? forClientCaches : forAllCaches;
    const headers = isShared
      ? cached(contentType, etag, expires)
      : privateHeaders(contentType, readableBy(facts.isPrivate, origins, request.headers));
    const answer = { body, headers, etag, route: asked.name, facts, logged: loggedFacts(facts) };
    // Most searches are never repeated, and keeping an answer takes longer than searching again.
    const isWorthKeeping = search === null || expires !== null || cache.wasAsked(request.target);
    if (isShared && isWorthKeeping && isCurrent) cache.set(request, answer);
    return answer;
  }

  function write(
    { method, answer }: WireRequest<AnyMethod>,
    { message, facts: { search, updates, expires } }: Answered<unknown>,
  ): { readonly contentType: string; readonly body: Uint8Array | LargeBody } {
    if (updates.length > 0) {
      const { contentType, parts } = writeResponseParts(method, message, answer, LARGE_VALUE_BYTES);
      return { contentType, body: bodyOf(parts) };
    }
    const isUsual = method === searchHashes && search?.found === 0 && expires === null;
    if (!isUsual || answer.format !== "protobuf") return writeResponse(method, message, answer);
    nothingFound ??= writeResponse(method, message, answer);
    return nothingFound;
  }

  /** Sends an answer, and remembers which differences the client was sent. */
  function reply(answer: CachedAnswer, request: ApiRequest): Reply | LargeReply {
    const { body, headers, etag, route, facts, logged } = answer;
    for (const { from, given, reason } of facts.updates) {
      if (from !== null) failures.rememberSent(failures.keyOf(request.client(), from));
      // The token of a repeated update was given before, with the difference that failed.
      if (given === null || reason === "repeated") continue;
      failures.rememberGiven(failures.keyOf(request.client(), given));
    }
    onAnswered(facts);
    if (etag !== null && hasTag(request.headers.get("if-none-match"), etag)) {
      return { status: 304, headers, body: EMPTY, route, facts: logged };
    }
    // Both objects are written out, because spreading a common one would take as long as the rest of the function.
    return body instanceof Uint8Array
      ? { status: 200, headers, route, facts: logged, body }
      : { status: 200, headers, route, facts: logged, large: body };
  }

  return { answer, forgetAnswers: () => cache.clear() };
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

/**
 * Whether the client has the answer with this tag, according to its `If-None-Match` header. The header has one or
 * several tags, which may be weak, or `*` for any tag. Tags are in quotes, so one cannot be a part of another.
 */
function hasTag(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === "*");
}

/**
 * The entity tag of a body. Large parts are not hashed, because the small parts contain the version and the checksum of
 * each list, which determine the large parts.
 */
function etagOf(body: Uint8Array | LargeBody): string {
  const hash = createHash("sha256");
  for (const part of body instanceof Uint8Array ? [body] : body.parts) {
    if ("base64" in part) hash.update(`\n${part.base64.length}\n`);
    else if (part.length >= LARGE_VALUE_BYTES && part !== body) hash.update(`\n${part.length}\n`);
    else hash.update(part);
  }
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

/** Facts for the log, as the members of a JSON object. */
function loggedFacts({ updates, search }: CallFacts): string {
  if (updates.length > 0) {
    return logFields({ updates: updates.map(({ list, kind }) => `${list}:${kind}`), ...search });
  }
  return search === null ? "" : `"asked":${search.asked},"found":${search.found}`;
}
