import { setTimeout as delay } from "node:timers/promises";
import { stateOf } from "../../storage/file-state.ts";

const POLL = 1000;

/**
 * Calls `onChange` after files have changed and then stayed the same for a second, so that a certificate and its key
 * are read together. The returned function ends the watch.
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: () => Promise<void>,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let handled = await stateOf(files());
    let last = handled;
    while (!signal.aborted) {
      await delay(POLL, undefined, { signal, ref: false }).catch(() => {});
      const now = await stateOf(files());
      if (signal.aborted) return;
      if (now === last && now !== handled) {
        handled = now;
        await onChange();
      }
      last = now;
    }
  }

  void watch();
  return () => stopping.abort();
}
