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

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
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
/** The maximum length of the body of an error. */
const MAX_ERROR_BYTES = 2 ** 16;
/** Uploads that are slower than this, in bytes per millisecond, are given up. */
const SLOWEST_UPLOAD = 16;

async function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Returns a function that sends requests to a storage. `where` names the storage in messages. */
export function transport(where: string, options: TransportOptions = {}): Send {
  const { signal, timeout = TIMEOUT, retries = RETRIES } = options;
  const { random = Math.random, pause = pauseFor } = options;
  const send = options.fetch ?? fetch;

  async function attempt({ url, init }: Outgoing, sending: Sending): Promise<HttpAnswer> {
    const watch = stallWatch(timeout, signal);
    try {
      watch.extend((sending.bytesSent ?? 0) / SLOWEST_UPLOAD);
      const response = await send(url, { ...init, signal: watch.signal });
      const { status, headers, ok } = response;
      const bytes = await readBody(response, ok ? sending.most : MAX_ERROR_BYTES, watch);
      if (bytes === null) {
        throw new StoreError("damaged", `The file ${sending.key} of the store is far too long`);
      }
      return { status, headers, bytes };
    } finally {
      watch.end();
    }
  }

  return async (request, sending) => {
    for (let sent = 1; ; sent++) {
      signal?.throwIfAborted();
      let problem: string;
      let cause: unknown;
      let asked = 0;
      try {
        const answer = await attempt(await request(), sending);
        const isTemporary =
          TEMPORARY.includes(answer.status) || sending.isTemporary?.(answer) === true;
        if (!isTemporary) return answer;
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

/**
 * The number of bytes that must arrive before the time-out restarts, so that a trickle cannot hold a connection
 * forever.
 */
const PROGRESS = 2 ** 16;

/** Aborts a request that makes no progress. */
interface StallWatch {
  readonly signal: AbortSignal;
  /** Call this function with the number of bytes in each chunk that arrives. */
  progress(bytes: number): void;
  /** Restarts the time-out with additional milliseconds. */
  extend(milliseconds: number): void;
  end(): void;
}

/** Watches one request, and also aborts it when `outer` is aborted. */
export function stallWatch(timeout: number, outer?: AbortSignal): StallWatch {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let arrived = 0;
  const onAbort = () => controller.abort(outer!.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener("abort", onAbort, { once: true });
  const extend = (more: number) => {
    clearTimeout(timer);
    const stalled = () => {
      controller.abort(new Error(`little or none of the answer arrived in ${timeout / 1000} s`));
    };
    timer = setTimeout(stalled, timeout + more);
  };
  return {
    signal: controller.signal,
    progress(bytes) {
      arrived += bytes;
      if (arrived < PROGRESS) return;
      arrived = 0;
      extend(0);
    },
    extend,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", onAbort);
    },
  };
}

/**
 * Reads the body of a response, at most `most` bytes. If the body is longer, the result is `null` or, for an error
 * response, the bytes before the limit.
 *
 * The bytes are counted after decompression, because a host may compress any file.
 */
export async function readBody(
  response: Response,
  most: number,
  watch: StallWatch,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  watch.extend(0);
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    watch.progress(piece.value.length);
    length += piece.value.length;
    if (length > most) {
      await reader!.cancel().catch(() => {});
      if (response.ok) return null;
      break;
    }
    pieces.push(piece.value);
  }
  return concatBytes(pieces);
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
