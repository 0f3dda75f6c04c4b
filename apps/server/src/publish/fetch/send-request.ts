import {
  type Agent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  STATUS_CODES,
} from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { localHost } from "@x/canon/local-hosts";
import { namesProxy } from "@x/command-line/node";
import { checkedLookup, isLoopbackAddress, isPublicAddress } from "@x/links/node";
import { describeFailure, isSameServer, retryAfter } from "@x/list-store/transport";
import type { SourceReport } from "../read-sources.ts";
import { type Credentials, type SourceUrl, shownUrl } from "./source-url.ts";

/** Why a source could not be fetched. The message is the rest of a sentence that begins with the URL of the source. */
export class FetchProblem extends Error {
  override readonly name = "FetchProblem";
  /** The wait before the next request that `Retry-After` asks for, in milliseconds, or 0 without that header. */
  readonly retryAfter: number;
  /** The report on the received lines if the problem is in them, and otherwise `null`. */
  readonly report: SourceReport | null;

  constructor(
    message: string,
    options: {
      readonly retryAfter?: number;
      readonly report?: SourceReport;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.retryAfter = options.retryAfter ?? 0;
    this.report = options.report ?? null;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNRESET: "the connection was cut",
  ENOSPC: "the disk is too full for a copy of it",
  EDQUOT: "this user's disk quota is too small for a copy of it",
};

/** Converts any error into the problem to report. */
export function problemOf(error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error;
  const what = WORDS[String((error as NodeJS.ErrnoException).code)] ?? describeFailure(error);
  return new FetchProblem(`could not be fetched: ${what}`, { cause: error });
}

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

/** The most redirects that are followed for one fetch. */
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How many characters of a redirect target are shown in messages. */
const MAX_SHOWN = 200;

/** Returns the target of a redirect, without credentials or a fragment. */
function redirectOf(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from)) {
    throw new FetchProblem("redirects to something that is not a URL");
  }
  const to = new URL(location, from);
  [to.username, to.password, to.hash] = ["", "", ""];
  return to;
}

/**
 * Throws unless the redirect is allowed. `named` is the URL of the source, `from` the URL that redirects, and
 * `allowed` are the hosts to which it may redirect.
 */
function checkRedirect(named: URL, from: URL, to: URL, allowed: ReadonlySet<string>): void {
  const shown = shownUrl(to).slice(0, MAX_SHOWN);
  const refuse = (why: string) => new FetchProblem(`redirects to ${shown}, ${why}`);
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw new FetchProblem(`redirects to ${JSON.stringify(to.protocol)}, which is not fetched`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw refuse("which is not encrypted");
  }
  if (isSameServer(named, to) || allowed.has(to.hostname)) return;
  const what = named.hostname === to.hostname ? "another port" : "another host";
  throw refuse(`${what}; if that is right, add ${to.hostname} to fetch.redirects-to`);
}

/** The longest `Retry-After` that is respected, in milliseconds. Longer values count as this maximum. */
const LONGEST = 24 * 60 * 60 * 1000;

/** The time in a `Retry-After` header, in milliseconds, or 0 without a valid header. */
function pauseAsked(header: string | undefined): number {
  return Math.min(retryAfter({ get: () => header ?? null }) ?? 0, LONGEST);
}

/**
 * Returns a DNS lookup that refuses private addresses, except those of hosts that the operator allows and the loopback
 * address of `localhost`. URLs with an IP address need no check, because the operator named the address.
 */
function sourceLookup(privateHosts: ReadonlySet<string>): LookupFunction {
  return checkedLookup({
    isAllowed: (host, address) =>
      privateHosts.has(host) ||
      isPublicAddress(address) ||
      (localHost(host) === "device" && isLoopbackAddress(address)),
    refuse: (host, address) =>
      new FetchProblem(
        `was not fetched, because ${host} has the private address ${address}; if that is right, add ${host} to fetch.private-hosts`,
      ),
  });
}
