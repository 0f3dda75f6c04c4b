import { concatBytes } from "@x/prefix-list/raw-hashes";
import { StoreError } from "./error.ts";

/** Options for sending requests. */
export interface TransportOptions {
  readonly fetch?: typeof fetch | undefined;
  /** Aborts all requests, which then reject with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** A request is given up after this many milliseconds in which less than 64 kB arrived; 30 seconds by default. */
  readonly timeout?: number | undefined;
  /**
   * The number of times that a request is sent again after a network error, or an answer with status 408, 425, 429,
   * 500, 502, 503 or 504; 4 by default. The time between two attempts doubles each time, and `Retry-After` is honoured
   * up to 30 seconds.
   */
  readonly retries?: number | undefined;
  /** Returns a number from 0 to less than 1; the number spreads out the times at which many clients try again. */
  readonly random?: (() => number) | undefined;
  /** Waits between two attempts. The function must reject when the signal is aborted. */
  readonly pause?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** One request. Each attempt makes a new one. */
interface Outgoing {
  readonly url: string;
  readonly init: RequestInit;
}

/** An answer, whatever its status. */
export interface HttpAnswer extends LimitedAnswer {
  readonly bytes: Uint8Array;
}

export interface Sending {
  /** The key, for messages. */
  readonly key: string;
  /** The maximum length of the body, unless the answer is an error. */
  readonly most: number;
  /** The length of the body that is sent. */
  readonly bytesSent?: number;
  /** Recognizes temporary errors besides the usual ones. */
  readonly isTemporary?: (answer: HttpAnswer) => boolean;
}

/** Sends a request, and sends it again after temporary errors. Rejects when all retries have failed. */
export type Send = (
  request: () => Outgoing | Promise<Outgoing>,
  sending: Sending,
) => Promise<HttpAnswer>;

const TIMEOUT = 30_000;
const RETRIES = 4;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 30_000;
/** HTTP statuses of servers that are busy, restarting, or unreachable for the proxy in front of them. */
const TEMPORARY: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
/** Uploads that are slower than this, in bytes per millisecond, are given up. */
const SLOWEST_UPLOAD = 16;

/** Returns a function that sends requests to a storage. `where` names the storage in messages. */
export function transport(where: string, options: TransportOptions = {}): Send {
  const { signal, timeout = TIMEOUT, retries = RETRIES } = options;
  const { random = Math.random, pause = pauseFor } = options;
  const send = options.fetch ?? fetch;

  return async (request, { key, most, bytesSent = 0, isTemporary }) => {
    const limits = { timeout, signal, uploadTime: bytesSent / SLOWEST_UPLOAD, most };
    for (let sent = 1; ; sent++) {
      signal?.throwIfAborted();
      let problem: string;
      let cause: unknown;
      let asked = 0;
      try {
        const { url, init } = await request();
        const { bytes, ...rest } = await exchange(send, url, init, limits);
        if (bytes === null) {
          throw new StoreError("damaged", `The file ${key} of the store is far too long`);
        }
        const answer = { ...rest, bytes };
        if (!TEMPORARY.includes(answer.status) && !isTemporary?.(answer)) return answer;
        problem = `it answers with status ${answer.status}`;
        asked = retryAfter(answer.headers) ?? 0;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof StoreError) throw error;
        problem = describeFailure(error);
        cause = error;
      }
      if (sent > retries) {
        throw new StoreError("unreachable", `${where} cannot be used now: ${problem}`, { cause });
      }
      const backoff = FIRST_PAUSE * 2 ** (sent - 1) * (0.5 + random() / 2);
      await pause(Math.min(Math.max(backoff, asked), LONGEST_PAUSE), signal);
    }
  };
}

/** Waits for work that never ends, until its time is over. Rejects when the signal is aborted. */
async function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await withTimeout(milliseconds, signal, () => new Promise(() => {})).catch(() => {});
  signal?.throwIfAborted();
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** The maximum number of redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/**
 * Whether a URL is on the server of another URL, whose redirects to it may be followed: both have the same origin, or
 * they have the same host, the new URL uses `https`, and both use their default ports.
 */
export function isSameServer(named: URL, url: URL): boolean {
  if (url.origin === named.origin) return true;
  return named.port === "" && url.origin === `https://${named.hostname}`;
}

/**
 * A `fetch` for GET requests that follows only redirects on the same server. Every request goes through `send`. In
 * browsers, redirects are not followed, because browsers hide their targets.
 *
 * @param where names the storage in messages.
 * @throws {StoreError} `not-a-store` when a redirect is not followed.
 */
export function fetchOnServer(send: typeof fetch, where: string): typeof fetch {
  const refuse = (why: string) =>
    new StoreError("not-a-store", `${where} redirects its readers ${why}`);
  return async (input, init) => {
    const named = new URL(String(input));
    let url = named;
    for (let redirects = 0; ; redirects++) {
      const response = await send(url.href, { ...init, redirect: "manual" });
      if (response.type === "opaqueredirect") {
        throw refuse("to an address that browsers do not reveal");
      }
      if (!REDIRECTS.includes(response.status)) return response;
      response.body?.cancel().catch(() => {});
      const location = response.headers.get("location");
      if (location === null || !URL.canParse(location, url)) {
        throw refuse("to something that is not a URL");
      }
      if (redirects === MAX_REDIRECTS) throw refuse(`more than ${MAX_REDIRECTS} times`);
      const to = new URL(location, url);
      if (url.protocol === "https:" && to.protocol === "http:") {
        throw refuse("to an address without https");
      }
      if (!isSameServer(named, to)) {
        throw refuse(`to another server, ${to.protocol}//${to.host}, which is not followed`);
      }
      url = to;
    }
  };
}

/** How long a request may take, and how much of its answer is read. */
export interface Limits {
  /** The request is given up after this many milliseconds in which less than 64 kB arrived. */
  readonly timeout: number;
  /** Whether `timeout` is for the request as a whole instead, because the answer is short. */
  readonly isShort?: boolean;
  /** The number of milliseconds that sending the body may take in addition. */
  readonly uploadTime?: number;
  readonly signal?: AbortSignal | undefined;
  /** The maximum length of the body of a successful answer, in bytes after decompression. */
  readonly most: number;
  /** The number of bytes that are read of the body of an error; 64 kB by default. */
  readonly mostOfErrors?: number;
  /** Called with the status, when the headers have arrived. */
  readonly onStatus?: (status: number) => void;
  /** Called with the number of bytes in each piece of the body that arrives. */
  readonly onReceived?: (bytes: number) => void;
}

/**
 * The number of bytes that must arrive before the timeout restarts, so that a trickle cannot hold a connection
 * forever.
 */
const PROGRESS = 2 ** 16;
const MAX_ERROR_BYTES = 2 ** 16;

/** An answer that was read within limits, whatever its status. */
export interface LimitedAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  /** The body, of which only the beginning is read if the answer is an error; `null` if any other is too long. */
  readonly bytes: Uint8Array | null;
}

/** Sends one request, and reads its answer within limits. Redirects are followed as `init` says. */
export function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  limits: Limits,
): Promise<LimitedAnswer> {
  const { timeout, isShort, uploadTime = 0, onReceived } = limits;
  return withTimeout(timeout, limits.signal, async (signal, restart) => {
    restart(uploadTime);
    const { status, headers, body } = await fetch(url, { ...init, signal });
    limits.onStatus?.(status);
    if (!isShort) restart(0);
    const isError = status !== 200;
    const most = isError ? (limits.mostOfErrors ?? MAX_ERROR_BYTES) : limits.most;
    const reader = body?.getReader();
    const pieces: Uint8Array[] = [];
    let length = 0;
    let arrived = 0;
    // The bytes are counted after decompression, because a host may compress any file.
    while (reader !== undefined && most > 0 && length <= most) {
      const { done, value } = await reader.read();
      if (done) break;
      onReceived?.(value.length);
      pieces.push(value);
      length += value.length;
      arrived += value.length;
      if (isShort || arrived < PROGRESS) continue;
      arrived = 0;
      restart(0);
    }
    reader?.cancel().catch(() => {});
    const isTooLong = !isError && length > most;
    return { status, headers, bytes: isTooLong ? null : concatBytes(pieces).subarray(0, most) };
  });
}

/**
 * Waits for work that may ignore its signal. The work is given up, and its signal aborted, after `timeout` milliseconds
 * since it began or last called `restart`, or when `outer` is aborted.
 */
export async function withTimeout<Result>(
  timeout: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, restart: (more: number) => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onAbort = () => controller.abort(outer!.reason);
  outer?.throwIfAborted();
  outer?.addEventListener("abort", onAbort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (more: number) => {
    clearTimeout(timer);
    const stalled = () => {
      controller.abort(new Error(`little or none of the answer arrived in ${timeout / 1000} s`));
    };
    timer = setTimeout(stalled, timeout + more);
  };
  restart(0);
  try {
    return await unlessAborted(work(controller.signal, restart), controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", onAbort);
  }
}

/**
 * Waits for work that may ignore the signal. If the signal is aborted, throws the signal's reason; the work itself
 * continues.
 */
export async function unlessAborted<Result>(
  work: PromiseLike<Result> | Result,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * The wait that the server requests (RFC 9110 §10.2.3), in milliseconds; `null` when it requests none. The caller must
 * limit the wait.
 */
export function retryAfter(headers: Pick<Headers, "get">, now: number = Date.now()): number | null {
  const value = (headers.get("retry-after") ?? "").trim();
  // A header that was sent twice, for example by a server and by a proxy, has both values. The longer wait counts.
  if (/^\d+(?:\s*,\s*\d+)*$/.test(value)) {
    const seconds = Math.max(...value.split(",").map(Number));
    return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER);
  }
  // `Date.parse` also reads text such as "-5" as a date. Only two of the three forms of an HTTP-date name the zone.
  if (!/^[A-Z]/.test(value)) return null;
  const dates = value.split(/(?<= GMT)\s*,\s*/);
  const waits = dates.map((date) => Date.parse(date.replace(/( GMT)?$/, " GMT")) - now);
  const longest = Math.max(...waits);
  return Number.isNaN(longest) ? null : Math.max(longest, 0);
}

interface Facts {
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly code?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/**
 * The reason why a request failed, in one clause. The useful part is often in the cause, and there may be an error for
 * each address of a host. Browsers do not say why a request failed, so the codes are those of Node.js.
 */
export function describeFailure(error: unknown): string {
  const { message, cause, errors } = (error ?? {}) as Facts;
  const deeper = (cause ?? {}) as Facts;
  const facts = (deeper.errors?.[0] ?? cause ?? errors?.[0] ?? error ?? {}) as Facts;
  const { code, hostname, address, port } = facts;
  if (hostname !== undefined && (code === "ENOTFOUND" || code === "EAI_AGAIN")) {
    return `the host ${hostname} does not resolve`;
  }
  if (address !== undefined && code === "ECONNREFUSED") {
    return `port ${port} of ${address} refuses connections`;
  }
  return String(deeper.message || deeper.code || message || error);
}
