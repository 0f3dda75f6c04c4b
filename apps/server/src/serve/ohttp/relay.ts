import { readBody, stallWatch } from "@x/list-store/transport";
import { fairQueue } from "../fairness/fair-queue.ts";
import { FOR_ALL_ORIGINS } from "../http/cross-origin.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { HttpOptions } from "../http/http-server.ts";
import { type AnyReply, problemReply, type Reply, textReply } from "../http/reply.ts";
import type { PlainRequest } from "../http/request.ts";
import { retryAfter } from "../lists/unavailable.ts";
import { GATEWAY_PATH, REQUEST_TYPE, RESPONSE_TYPE } from "./operations.ts";

export interface RelayOptions {
  /** The gateways, by the path at which clients ask for them: `"/"` or `"/NAME"`. */
  readonly gateways: ReadonlyMap<string, URL>;
  /** How many requests a network may send in a minute. */
  readonly rate: number;
  /** How long a gateway may take for an answer, in milliseconds. */
  readonly timeout: number;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

const ROUTE = "relay";
/** The maximum length of an answer in bytes: enough for the longest answer of our own gateway. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20 + 4096;
/** The maximum length of a request in bytes. No usual request to a list server is longer. */
const MAX_REQUEST_BYTES = 64 * 2 ** 10;
const MINUTE = 60_000;
/** How many requests are forwarded at the same time, and how many may wait, for each network and in total. */
const TURNS = { atOnce: 64, perClient: 32, total: 2048 };
/**
 * The content types that are passed on: encrypted answers and the errors of a gateway that could not decrypt the
 * request.
 */
const PASSED_TYPES: ReadonlySet<string> = new Set([RESPONSE_TYPE, "application/problem+json"]);

/** The URL to which requests for a gateway go. A URL without a path gets the well-known path. */
export function gatewayUrl(text: string): URL {
  const url = new URL(text);
  if (url.pathname === "/" && url.search === "") url.pathname = GATEWAY_PATH;
  return url;
}

/**
 * Returns a function that counts a request from a network, and returns whether the network is within the limit for the
 * current minute.
 */
function rateLimit(most: number, now: () => number): (network: string) => boolean {
  let started = now();
  const counts = new Map<string, number>();
  return (network) => {
    if (Math.abs(now() - started) >= MINUTE) {
      started = now();
      counts.clear();
    }
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return count <= most;
  };
}

const busy = () =>
  new HttpProblem(429, "Too many requests come from this network.", { "Retry-After": "60" });
const gatewayProblem = (why: string) => new HttpProblem(503, why);

/** Sends a request to a gateway, and returns the gateway's answer. */
async function forward(
  gateway: URL,
  body: Uint8Array,
  { timeout, fetch = globalThis.fetch }: RelayOptions,
): Promise<Reply> {
  const watch = stallWatch(timeout);
  watch.extend(0);
  try {
    const response = await fetch(gateway, {
      method: "POST",
      // Send no header from the client and no cookie.
      headers: { "content-type": REQUEST_TYPE },
      body: new Uint8Array(body),
      redirect: "error",
      credentials: "omit",
      signal: watch.signal,
    });
    const type = response.headers.get("content-type") ?? "";
    const answer = await readBody(response, MAX_ANSWER_BYTES, watch);
    if (answer === null || !PASSED_TYPES.has(type)) {
      throw gatewayProblem("The gateway sent something other than an answer of Oblivious HTTP.");
    }
    return {
      route: ROUTE,
      status: response.status,
      headers: { "Content-Type": type, "Cache-Control": "no-store", ...FOR_ALL_ORIGINS },
      body: answer,
    };
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw gatewayProblem("The gateway cannot be reached.");
  } finally {
    watch.end();
  }
}

/**
 * Creates a relay (RFC 9458 §6.2). Each request goes to the gateway that its path names, without anything about the
 * client.
 */
export function createRelay(options: RelayOptions): HttpOptions["answer"] {
  const { gateways, rate, now = Date.now } = options;
  const isWithinRate = rateLimit(rate, now);
  const turns = fairQueue({ ...TURNS, refusal: busy });
  /** Since when each gateway has not answered. */
  const failing = new Map<URL, number>();

  async function forwardTo(gateway: URL, body: Uint8Array): Promise<Reply> {
    try {
      const reply = await forward(gateway, body, options);
      failing.delete(gateway);
      return reply;
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      const since = failing.get(gateway) ?? now();
      failing.set(gateway, since);
      throw new HttpProblem(error.status, error.message, retryAfter(since));
    }
  }

  async function relay(request: PlainRequest): Promise<AnyReply> {
    const gateway = gateways.get(request.target);
    if (gateway === undefined) throw new HttpProblem(404, "There is no gateway here.");
    if (request.method !== "POST") throw new HttpProblem(405, "Use POST.", { Allow: "POST" });
    if (request.headers.get("content-type")?.trim().toLowerCase() !== REQUEST_TYPE) {
      throw new HttpProblem(415, `The content type must be ${REQUEST_TYPE}.`);
    }
    if (request.body.length > MAX_REQUEST_BYTES) {
      throw new HttpProblem(413, `A request may have at most ${MAX_REQUEST_BYTES} bytes.`);
    }
    const network = request.network();
    if (!isWithinRate(network)) throw busy();
    return turns.run(network, () => forwardTo(gateway, request.body));
  }

  return (request) => {
    if (request.target === "/healthz") return textReply("healthz", 200, "ok\n");
    return relay(request).catch((error) => problemReply(ROUTE, error));
  };
}
