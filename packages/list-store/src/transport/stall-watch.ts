/**
 * The number of bytes that must arrive before the time-out restarts, so that a trickle cannot hold a connection
 * forever.
 */
const PROGRESS = 2 ** 16;

/** Aborts a request that makes no progress. */
export interface StallWatch {
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
