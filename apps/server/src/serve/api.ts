import { createHash, type Hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type HttpRequest,
  type MessageInput,
  type ResponseOf,
  readRequest,
  WireError,
  type WireRequest,
  writeResponse,
  writeResponseParts,
} from "@x/wire";
import { V4_METHODS } from "@x/wire/v4";
import { searchHashes, V5_METHODS } from "@x/wire/v5";
import { WEB_RISK_METHODS } from "@x/wire/web-risk";
import { type AnswerCache, answerCache, type CachedAnswer } from "./answer-cache.ts";
import { type Answering, type Exchange, noLists } from "./answering.ts";
import { HttpProblem } from "./http/http-problem.ts";
import { bodyOf, type LargeBody } from "./http/large-body.ts";
import { LARGE_REQUEST_BYTES, MAX_BODY_BYTES } from "./http/read-body.ts";
import { errorReply, type LargeReply, type Reply } from "./http/reply.ts";
import { logFields } from "./log.ts";
import { type MaybePromise, whenReady } from "./maybe-promise.ts";
import { memoized } from "./memoized.ts";
import { answerV4 } from "./safe-browsing/v4.ts";
import { answerV5 } from "./safe-browsing/v5.ts";
import { type RepeatedUpdates, repeatedUpdates } from "./updates/repeated-updates.ts";
import { answerWebRisk } from "./web-risk/web-risk.ts";

/** A request to the API, and who sent it. */
export interface ApiRequest extends HttpRequest {
  readonly headers: { get(name: string): string | null };
  /** Tells clients apart, as far as that is possible. */
  client(): string;
  /** The network that the client is in, for limits. */
  network(): string;
}

export interface Api {
  answer(request: ApiRequest): MaybePromise<Reply | LargeReply>;
  /** To be called when the lists changed. */
  forgetAnswers(): void;
}

/** The methods of all protocols. */
export const API_METHODS = [...V5_METHODS, ...V4_METHODS, ...WEB_RISK_METHODS] as const;
type ApiMethod = (typeof API_METHODS)[number];

/**
 * A request has at most 1000 prefixes or 500 URLs; no real one is longer. In JSON, 1000 prefixes are 2000 values, and 100
 * lists with their constraints 1500.
 */
const LIMITS = { maxBytes: MAX_BODY_BYTES, maxValues: 2 ** 12 };
const ROUTE = "api";
const EMPTY = new Uint8Array(0);
/** Values of this many bytes are shared by the answers that carry them. */
const LARGE_VALUE_BYTES = 2 ** 14;

function statusOf({ code }: WireError): number {
  if (code === "path-unknown") return 404;
  if (code === "http-method-wrong") return 405;
  return code === "message-too-large" ? 413 : 400;
}

function problemReply(error: unknown): Reply {
  if (error instanceof WireError) return errorReply(ROUTE, statusOf(error), error.message);
  if (error instanceof HttpProblem) {
    return errorReply(ROUTE, error.status, error.message, error.headers);
  }
  throw error;
}

function factsOf({ updates, search }: Exchange): string {
  if (updates.length === 0 && search !== null) {
    return `"asked":${search.asked},"found":${search.found}`;
  }
  if (updates.length === 0) return "";
  return logFields({ updates: updates.map(({ list, kind }) => `${list}:${kind}`), ...search });
}

/** Whether a request is for one of these methods. */
function isOf<M extends ApiMethod>(
  methods: readonly M[],
  asked: { readonly method: ApiMethod },
): asked is WireRequest<M> {
  return (methods as readonly ApiMethod[]).includes(asked.method);
}

function answerMethod(
  asked: WireRequest<ApiMethod>,
  exchange: Exchange,
): MaybePromise<MessageInput<ResponseOf<ApiMethod>>> {
  if (isOf(V5_METHODS, asked)) return answerV5(asked, exchange);
  if (isOf(V4_METHODS, asked)) return answerV4(asked, exchange);
  return answerWebRisk(asked, exchange);
}

/** The body of an answer. */
interface WrittenAnswer {
  readonly contentType: string;
  readonly body: Uint8Array | LargeBody;
}

/**
 * A tag for a body, without reading its large parts: the small ones have the version and the checksum of each list, from
 * which the large ones follow.
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

/** All protocols behind one function from requests to replies. */
export function createApi(answering: Answering, onAnswered: (answer: CachedAnswer) => void): Api {
  const cache: AnswerCache = answerCache();
  const repeated: RepeatedUpdates = repeatedUpdates();
  let nothingFound: WrittenAnswer | undefined;
  const maxAge = Math.floor(answering.cache / 1000);

  const publicHeaders = memoized((contentType: string) => ({
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": `public, max-age=${maxAge}`,
    // Clients without a key get the public lists; others may get more.
    Vary: "Accept, X-Goog-Api-Key, X-HTTP-Method-Override",
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
      // A time, not an age: an age would start again when this server sends the same answer again.
      ...(expires !== null && {
        "Cache-Control": "public",
        Expires: new Date(expires).toUTCString(),
      }),
    };
  }

  function privateHeaders(contentType: string): Record<string, string> {
    return {
      "Content-Type": contentType,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "private, no-store",
    };
  }

  function compute(
    request: ApiRequest,
    hasFailed: (key: number) => boolean,
  ): MaybePromise<Reply | LargeReply> {
    const asked = readRequest<ApiMethod>(request, API_METHODS, LIMITS);
    const lists = answering.lists.all();
    if (lists.length === 0) throw noLists();
    const exchange: Exchange = {
      answering,
      key: asked.key,
      network: () => request.network(),
      hasFailed: (token) => hasFailed(repeated.keyOf(request.client(), token)),
      isPrivate: false,
      expires: null,
      updates: [],
      search: null,
    };
    return whenReady(answerMethod(asked, exchange), (message) => {
      // An answer that was begun before the lists changed is not for the clients after that.
      const isCurrent = lists === answering.lists.all();
      const answer = finish(asked, message, exchange, request, isCurrent);
      for (const key of keysOf(answer, request)) repeated.remember(key);
      return reply(answer, request);
    });
  }

  /** The body of an answer. Searches of v5 in protobuf that found nothing share one, which is always the same. */
  function write(
    { method, answer }: WireRequest<ApiMethod>,
    message: MessageInput<ResponseOf<ApiMethod>>,
    { search, updates }: Exchange,
  ): WrittenAnswer {
    if (updates.length > 0) {
      const { contentType, parts } = writeResponseParts(method, message, answer, LARGE_VALUE_BYTES);
      return { contentType, body: bodyOf(parts) };
    }
    if (method !== searchHashes || search?.found !== 0 || answer.format !== "protobuf") {
      return writeResponse(method, message, answer);
    }
    nothingFound ??= writeResponse(method, message, answer);
    return nothingFound;
  }

  function finish(
    asked: WireRequest<ApiMethod>,
    message: MessageInput<ResponseOf<ApiMethod>>,
    exchange: Exchange,
    request: ApiRequest,
    isCurrent: boolean,
  ): CachedAnswer {
    const { body, contentType } = write(asked, message, exchange);
    const isShared =
      !exchange.isPrivate &&
      request.method === "GET" &&
      // A full update for one client whose update failed is not for the others at the same version.
      !exchange.updates.some(({ reason }) => reason === "repeated");
    // Searches are too short to be worth asking whether they are still good.
    const etag = isShared && exchange.search === null ? etagOf(body) : null;
    const { expires } = exchange;
    const answer: CachedAnswer = {
      body,
      etag,
      expires,
      headers: isShared ? sharedHeaders(contentType, etag, expires) : privateHeaders(contentType),
      route: asked.name,
      updates: exchange.updates,
      search: exchange.search,
      facts: factsOf(exchange),
    };
    // Most searches are never repeated, and keeping them takes longer than searching again.
    const isWorthKeeping =
      exchange.search === null || expires !== null || cache.wasAsked(request.target);
    if (isShared && isWorthKeeping && isCurrent) cache.set(request, answer);
    return answer;
  }

  /** The keys that stand for the client and for each difference in its answer. */
  function keysOf({ updates }: CachedAnswer, request: ApiRequest): number[] {
    const keys: number[] = [];
    for (const { from } of updates) {
      if (from !== null) keys.push(repeated.keyOf(request.client(), from));
    }
    return keys;
  }

  function reply(answer: CachedAnswer, request: ApiRequest): Reply | LargeReply {
    const { body, headers, etag, route, facts } = answer;
    onAnswered(answer);
    const isKnown = etag !== null && request.headers.get("if-none-match") === etag;
    if (isKnown) return { status: 304, headers, body: EMPTY, route, facts };
    const head = { status: 200, headers, route, facts };
    return body instanceof Uint8Array ? { ...head, body } : { ...head, large: body };
  }

  /** Whether the times in an answer have passed, or are too far away because the clock was set back. */
  function isStale({ expires }: CachedAnswer): boolean {
    const left = expires === null ? null : expires - answering.now();
    return left !== null && (left <= 0 || left > answering.cache);
  }

  function answerOrThrow(request: ApiRequest): MaybePromise<Reply | LargeReply> {
    if (request.target.length + (request.body?.length ?? 0) > LARGE_REQUEST_BYTES) {
      return answering.turns
        .run(request.network(), () => nextTurn())
        .then(() => keptOrComputed(request));
    }
    return keptOrComputed(request);
  }

  function keptOrComputed(request: ApiRequest): MaybePromise<Reply | LargeReply> {
    const kept = request.method === "GET" ? cache.get(request) : undefined;
    if (kept === undefined || isStale(kept)) {
      return compute(request, (key) => repeated.isRepeated(key));
    }
    const keys = keysOf(kept, request);
    const failed = keys.length === 0 ? keys : keys.filter((key) => repeated.isRepeated(key));
    if (failed.length > 0) return compute(request, (key) => failed.includes(key));
    for (const key of keys) repeated.remember(key);
    return reply(kept, request);
  }

  return {
    answer(request) {
      try {
        const answer = answerOrThrow(request);
        return answer instanceof Promise ? answer.catch(problemReply) : answer;
      } catch (error) {
        return problemReply(error);
      }
    },
    forgetAnswers: () => cache.clear(),
  };
}
