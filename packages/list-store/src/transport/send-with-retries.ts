import { StoreError } from "../error.ts";
import { describeFailure } from "./describe-failure.ts";
import { readBody } from "./read-body.ts";
import { retryAfter } from "./retry-after.ts";
import { stallWatch } from "./stall-watch.ts";

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
export interface Outgoing {
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
