import { createHash } from "node:crypto";
import {
  type HttpRequest,
  type MessageInput,
  type ResponseOf,
  readRequest,
  WireError,
  type WireRequest,
  writeResponse,
} from "@x/wire";
import { V4_METHODS } from "@x/wire/v4";
import { V5_METHODS } from "@x/wire/v5";
import { WEB_RISK_METHODS } from "@x/wire/web-risk";
import { type AnswerCache, answerCache, type CachedAnswer } from "./answer-cache.ts";
import type { Answering, Exchange } from "./answering.ts";
import { HttpProblem } from "./http/http-problem.ts";
import { errorReply, type Reply } from "./http/reply.ts";
import { answerV4 } from "./safe-browsing/v4.ts";
import { answerV5 } from "./safe-browsing/v5.ts";
import { type RepeatedUpdates, repeatedUpdates } from "./updates/repeated-updates.ts";
import { answerWebRisk } from "./web-risk/web-risk.ts";

/** A request to the API, and who sent it. */
export interface ApiRequest extends HttpRequest {
  readonly headers: { get(name: string): string | null };
  /** Tells clients apart, as far as that is possible. */
  readonly client: string;
}

export interface Api {
  answer(request: ApiRequest): Promise<Reply>;
  /** To be called when the lists changed. */
  forgetAnswers(): void;
}

const METHODS = [...V5_METHODS, ...V4_METHODS, ...WEB_RISK_METHODS] as const;
type ApiMethod = (typeof METHODS)[number];

/** A request has at most 1000 prefixes or 500 URLs; no real one is longer. */
const LIMITS = { maxBytes: 2 ** 20 };
const ROUTE = "api";

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

function factsOf({ updates, search }: CachedAnswer): Record<string, unknown> {
  return {
    ...(updates.length > 0 && { updates: updates.map(({ list, kind }) => `${list}:${kind}`) }),
    ...search,
  };
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
): Promise<MessageInput<ResponseOf<ApiMethod>>> {
  if (isOf(V5_METHODS, asked)) return answerV5(asked, exchange);
  if (isOf(V4_METHODS, asked)) return answerV4(asked, exchange);
  return answerWebRisk(asked, exchange);
}

/** All protocols behind one function from requests to replies. */
export function createApi(answering: Answering, onAnswered: (answer: CachedAnswer) => void): Api {
  const cache: AnswerCache = answerCache();
  const repeated: RepeatedUpdates = repeatedUpdates();
  const maxAge = Math.floor(answering.cache / 1000);

  function sharedHeaders(
    contentType: string,
    etag: string | null,
    expires: number | null,
  ): Record<string, string> {
    const headers: Record<string, string> = {
      "Content-Type": contentType,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": expires === null ? `public, max-age=${maxAge}` : "public",
      Vary: "Accept, X-HTTP-Method-Override",
    };
    if (etag !== null) headers["ETag"] = etag;
    // Not an age, which would begin anew when this server sends the same answer again.
    if (expires !== null) headers["Expires"] = new Date(expires).toUTCString();
    return headers;
  }

  function privateHeaders(contentType: string): Record<string, string> {
    return {
      "Content-Type": contentType,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "private, no-store",
    };
  }

  async function compute(
    request: ApiRequest,
    hasFailed: (token: string) => boolean,
  ): Promise<Reply> {
    const asked = readRequest<ApiMethod>(request, METHODS, LIMITS);
    const exchange: Exchange = {
      answering,
      key: asked.key,
      hasFailed,
      isPrivate: false,
      expires: null,
      updates: [],
      search: null,
    };
    const message = await answerMethod(asked, exchange);
    const { body, contentType } = writeResponse(asked.method, message, asked.answer);
    const isShared =
      !exchange.isPrivate &&
      request.method === "GET" &&
      // A full update for one client whose update failed is not for the others at the same version.
      !exchange.updates.some(({ reason }) => reason === "repeated");
    // Searches are too short to be worth asking whether they are still good.
    const etag =
      isShared && exchange.search === null
        ? `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`
        : null;
    const { expires } = exchange;
    const answer: CachedAnswer = {
      body,
      etag,
      expires,
      headers: isShared ? sharedHeaders(contentType, etag, expires) : privateHeaders(contentType),
      route: asked.name,
      updates: exchange.updates,
      search: exchange.search,
    };
    if (isShared) cache.set(cacheKey(request), answer);
    return reply(answer, request);
  }

  function reply(answer: CachedAnswer, request: ApiRequest): Reply {
    const { body, headers, etag, route, updates } = answer;
    for (const { from } of updates) if (from !== null) repeated.remember(request.client, from);
    onAnswered(answer);
    const isKnown = etag !== null && request.headers.get("if-none-match") === etag;
    const facts = factsOf(answer);
    if (isKnown) return { status: 304, headers, body: new Uint8Array(0), route, facts };
    return { status: 200, headers, body, route, facts };
  }

  return {
    async answer(request) {
      const kept = request.method === "GET" ? cache.get(cacheKey(request)) : undefined;
      const cached = (kept?.expires ?? Infinity) > answering.now() ? kept : undefined;
      try {
        if (cached === undefined) {
          return await compute(request, (token) => repeated.isRepeated(request.client, token));
        }
        const failed = cached.updates
          .map(({ from }) => from)
          .filter((from) => from !== null && repeated.isRepeated(request.client, from));
        if (failed.length === 0) return reply(cached, request);
        return await compute(request, (token) => failed.includes(token));
      } catch (error) {
        return problemReply(error);
      }
    },
    forgetAnswers: () => cache.clear(),
  };
}

/** Everything in a GET that its answer depends on, besides the lists. */
function cacheKey({ target, headers }: ApiRequest): string {
  const override = headers.get("x-http-method-override") ?? "";
  return `${override}\n${headers.get("accept") ?? ""}\n${headers.get("content-type") ?? ""}\n${headers.get("x-goog-api-key") ?? ""}\n${target}`;
}
