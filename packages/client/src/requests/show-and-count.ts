import { describeFailure } from "@x/list-store/transport";
import { ClientError } from "../error.ts";
import { unlessAborted } from "../tasks.ts";
import type { OnRequest, Purpose, RequestInfo } from "./request.ts";
import { type HttpAnswer, type HttpRequest, type SendOptions, sendOnce } from "./send-once.ts";
import { withoutKey } from "./without-key.ts";

/** The numbers of requests, prefixes and bytes of a client. */
export interface RequestCounts {
  /** The number of update requests. */
  readonly updates: number;
  /** The number of requests that search for full hashes. */
  readonly searches: number;
  /** The number of hash prefixes in searches. */
  readonly prefixes: number;
  /** The number of requests that `onRequest` refused. */
  readonly refused: number;
  /** The number of bytes in the paths and bodies that were sent. */
  readonly bytesSent: number;
  /** The number of bytes in the bodies that were received, after decompression. */
  readonly bytesReceived: number;
}

/** Sends requests. Each request is first shown to `onRequest`, and then counted. */
export interface Sender {
  readonly counts: { -readonly [Count in keyof RequestCounts]: RequestCounts[Count] };
  /** Shows a request to `onRequest`, which may refuse it, unless the signal is aborted. */
  show(request: RequestInfo, signal?: AbortSignal | null): Promise<void>;
  countSent(request: RequestInfo, purpose: Purpose): void;
  /** Shows a request, sends it, and counts it. */
  exchange(
    request: HttpRequest,
    kind: RequestInfo["ohttp"],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<HttpAnswer>;
}

export interface SenderOptions {
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly onRequest: OnRequest | null;
  /**
   * An update request is given up after this many milliseconds without progress, and a search after this many in total.
   */
  readonly timeout: number;
}

const NO_COUNTS: RequestCounts = {
  updates: 0,
  searches: 0,
  prefixes: 0,
  refused: 0,
  bytesSent: 0,
  bytesReceived: 0,
};

export function createSender({ key, fetch, onRequest, timeout }: SenderOptions): Sender {
  const counts: Sender["counts"] = { ...NO_COUNTS };
  const describe = (error: unknown) => withoutKey(describeFailure(error), key);
  const options: SendOptions = {
    fetch,
    timeout,
    onReceived(bytes) {
      counts.bytesReceived += bytes;
    },
    describe,
  };

  async function ask(request: RequestInfo): Promise<void> {
    if (onRequest === null) return;
    let reason = "";
    try {
      if ((await onRequest(request)) !== false) return;
    } catch (error) {
      reason = `: ${describe(error)}`;
    }
    counts.refused++;
    throw new ClientError("request-refused", `onRequest refused a request${reason}`);
  }

  async function show(request: RequestInfo, signal?: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(ask(request), signal ?? undefined);
    signal?.throwIfAborted();
  }

  function countSent({ path, body, ohttp }: RequestInfo, purpose: Purpose): void {
    if (ohttp !== "keys") counts[purpose === "update" ? "updates" : "searches"]++;
    counts.bytesSent += path.length + (body?.length ?? 0);
  }

  return {
    counts,
    show,
    countSent,
    async exchange(request, kind, purpose, signal) {
      const { url, method, body } = request;
      const info = { method, host: url.host, path: url.pathname + url.search, body };
      const shown = kind === undefined ? info : { ...info, ohttp: kind };
      const attempt = async (isLast: boolean) => {
        await show(shown, signal);
        countSent(shown, purpose);
        return sendOnce(request, options, signal, isLast);
      };
      // After a closed connection, the next attempt gets a new one.
      return (await attempt(false)) ?? (await attempt(true))!;
    },
  };
}
