import {
  type Agent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  STATUS_CODES,
} from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { namesProxy } from "@x/command-line/node";
import { isSameServer } from "@x/list-store/transport";
import { FetchProblem } from "./fetch-problem.ts";
import { sourceLookup } from "./private-addresses.ts";
import { checkRedirect, MAX_REDIRECTS, REDIRECT_STATUSES, redirectOf } from "./redirects.ts";
import { pauseAsked } from "./retry-after.ts";
import type { Credentials, SourceUrl } from "./source-url.ts";

/** How long a server may send nothing, in milliseconds. */
export const MAX_IDLE = 30_000;

/** The validators of an earlier answer (RFC 9110 §8.8), for a conditional request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface Answer {
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  readonly message: IncomingMessage;
  /** Whether the request had validators. */
  readonly isConditional: boolean;
}

/** The redirects and private addresses that the operator allows. */
export interface Reach {
  /** Hosts to which a source may redirect. */
  readonly redirectsTo: ReadonlySet<string>;
  /** Hosts that may have private addresses. */
  readonly privateHosts: ReadonlySet<string>;
}

export interface Asking {
  readonly reach: Reach;
  /** Returns the validators for a URL, or `null` if there are none. */
  readonly validatorsFor: (url: URL) => Validators | null;
  readonly signal: AbortSignal;
  /** Called when the server has sent nothing for {@link MAX_IDLE} milliseconds. */
  readonly onIdle: () => void;
}

function basic({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function ask(url: URL, options: RequestOptions, onIdle: () => void): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // Whoever reads the message gets its errors, so the error event is ignored here.
    request(url, { ...options, timeout: MAX_IDLE })
      .once("response", (message: IncomingMessage) => resolve(message.on("error", () => {})))
      .on("error", reject)
      // If the server switches to another protocol, there is no error, only this event.
      .on("close", () => reject(new FetchProblem("closed the connection without an answer")))
      .on("timeout", onIdle)
      .end();
  });
}

function headersOf(validators: Validators | null, credentials: Credentials | null) {
  const headers: Record<string, string> = {
    accept: "*/*",
    "accept-encoding": "gzip",
    "user-agent": "urlhash-server",
  };
  if (validators?.etag) headers["if-none-match"] = validators.etag;
  if (validators?.lastModified) headers["if-modified-since"] = validators.lastModified;
  if (credentials !== null) headers["authorization"] = basic(credentials);
  return headers;
}

/**
 * Returns the agent for the proxy in the environment, or `false` for a direct connection. The proxy resolves hosts
 * itself. A host that resolves to a private address on this machine is still refused, and a host that does not resolve
 * on this machine is left to the proxy.
 */
async function agentFor(url: URL, lookup: LookupFunction): Promise<Agent | false> {
  if (!namesProxy(process.env)) return false;
  const { proxyAgent } = await import("@x/command-line/proxy");
  const agent = proxyAgent(url) as Agent | null;
  if (agent === null) return false;
  await new Promise<void>((resolve, reject) => {
    if (isIP(url.hostname) !== 0) resolve();
    else {
      lookup(url.hostname, { all: true }, (error) => {
        if (error instanceof FetchProblem) reject(error);
        else resolve();
      });
    }
  });
  return agent;
}

/**
 * Requests a source, and follows the redirects that are allowed. The credentials of the source are sent only to the
 * server in its URL.
 */
export async function askFor(
  { url: named, credentials }: SourceUrl,
  { reach, validatorsFor, signal, onIdle }: Asking,
): Promise<Answer> {
  const lookup = sourceLookup(reach.privateHosts);
  let url = named;
  for (let redirects = 0; ; redirects++) {
    const validators = validatorsFor(url);
    const headers = headersOf(validators, isSameServer(named, url) ? credentials : null);
    const agent = await agentFor(url, lookup);
    const message = await ask(url, { headers, agent, lookup, signal }, onIdle);
    const { statusCode = 0 } = message;
    if (!REDIRECT_STATUSES.has(statusCode)) {
      if (statusCode === 200 || statusCode === 304) {
        return { url, message, isConditional: validators !== null };
      }
      message.destroy();
      throw new FetchProblem(`answered ${statusCode} ${STATUS_CODES[statusCode] ?? ""}`.trimEnd(), {
        retryAfter: pauseAsked(message.headers["retry-after"]),
      });
    }
    message.destroy();
    if (redirects === MAX_REDIRECTS) {
      throw new FetchProblem(`redirects more than ${MAX_REDIRECTS} times`);
    }
    const to = redirectOf(url, message.headers.location);
    checkRedirect(named, url, to, reach.redirectsTo);
    url = to;
  }
}
