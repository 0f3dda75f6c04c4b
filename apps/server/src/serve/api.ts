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
import { LARGE_REQUEST_BYTES, MAX_BODY_BYTES } from "./http/answer-request.ts";
import { bodyOf, type LargeBody } from "./http/large-answer.ts";
import {
  type LargeReply,
  privateHeaders,
  problemReply,
  type Reply,
  readableBy,
  sharedHeaders,
} from "./http/reply.ts";
import type { Client } from "./http/request.ts";
import { noLists } from "./lists/served-lists.ts";
import { logFields } from "./log.ts";
import type { Answered, Call, CallFacts } from "./protocols/call.ts";
import { failedUpdates } from "./updates/failed-updates.ts";

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

/** The route under which the log and the metrics record errors, whichever method was called. */
const API_ROUTE = "api";

/** A value of at least this many bytes is shared by all answers that contain it. */
const LARGE_VALUE_BYTES: number = 2 ** 14;

/** A method and the function that answers calls to it. */
export interface ServedMethod {
  readonly method: AnyMethod;
  // biome-ignore lint/suspicious/noExplicitAny: the message of the method
  readonly call: Call<any>;
}

export function served<M extends AnyMethod>(method: M, call: Call<M>): ServedMethod {
  return { method, call };
}

/** Runs calls, and remembers which differences were sent to clients. */
export interface CallRunner {
  /** Runs a call. `failed` is the result of {@link failedFor} for a cached answer. */
  run(
    served: ServedMethod,
    message: unknown,
    key: string | null,
    client: Client,
    failed?: readonly number[],
  ): Promise<Answered<unknown>>;
  /** The keys of the differences in a cached answer that the client seems to have failed to apply. */
  failedFor(facts: CallFacts, client: Client): readonly number[];
  /** Call this with the facts of each answer that is sent. */
  onAnswered(facts: CallFacts, client: Client): void;
}

const NONE: readonly number[] = [];

/** Creates the runner for all calls. `onAnswered` is called with the facts of each answer. */
export function createCallRunner(
  answering: Answering,
  onAnswered: (facts: CallFacts) => void,
): CallRunner {
  const failures = failedUpdates(answering.wait, answering.now);

  /** A key for each difference in an answer, made from the client and the token that the difference starts from. */
  function keysOf({ updates }: CallFacts, client: Client): readonly number[] {
    let keys = NONE;
    for (const { from } of updates) {
      if (from !== null) keys = [...keys, failures.keyOf(client.client(), from)];
    }
    return keys;
  }

  return {
    run({ call }, message, key, client, failed = NONE) {
      if (answering.lists.all().length === 0) throw noLists();
      const hasFailed = (token: string) => {
        const difference = failures.keyOf(client.client(), token);
        return failed.includes(difference) || failures.hasFailed(difference);
      };
      return call(message, { key, network: () => client.network(), hasFailed }, answering);
    },
    failedFor(facts, client) {
      const keys = keysOf(facts, client);
      return keys.length === 0 ? NONE : keys.filter((key) => failures.hasFailed(key));
    },
    onAnswered(facts, client) {
      for (const { from, given, reason } of facts.updates) {
        if (from !== null) failures.rememberSent(failures.keyOf(client.client(), from));
        // The token of a repeated update was given before, with the difference that failed.
        if (given === null || reason === "repeated") continue;
        failures.rememberGiven(failures.keyOf(client.client(), given));
      }
      onAnswered(facts);
    },
  };
}

/** Facts for the log, as the members of a JSON object. */
function loggedFacts({ updates, search }: CallFacts): string {
  if (updates.length > 0) {
    return logFields({ updates: updates.map(({ list, kind }) => `${list}:${kind}`), ...search });
  }
  return search === null ? "" : `"asked":${search.asked},"found":${search.found}`;
}

interface WrittenAnswer {
  readonly contentType: string;
  readonly body: Uint8Array | LargeBody;
}

/**
 * Returns a function that writes answers. v5 searches in protobuf that find nothing share one answer, unless the answer
 * has an expiry time of its own.
 */
function answerWriter(): (
  request: WireRequest<AnyMethod>,
  answered: Answered<unknown>,
) => WrittenAnswer {
  let nothingFound: WrittenAnswer | undefined;
  return ({ method, answer }, { message, facts: { search, updates, expires } }) => {
    if (updates.length > 0) {
      const { contentType, parts } = writeResponseParts(method, message, answer, LARGE_VALUE_BYTES);
      return { contentType, body: bodyOf(parts) };
    }
    const isUsual = method === searchHashes && search?.found === 0 && expires === null;
    if (!isUsual || answer.format !== "protobuf") return writeResponse(method, message, answer);
    nothingFound ??= writeResponse(method, message, answer);
    return nothingFound;
  };
}

/**
 * The entity tag of a body. Large parts are not hashed, because the small parts contain the version and the checksum of
 * each list, which determine the large parts.
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
