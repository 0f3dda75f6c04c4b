import { setTimeout as delay } from "node:timers/promises";
import { stateOf } from "../../storage/file-state.ts";

const POLL = 1000;

/**
 * Calls `onChange` when files have changed, until the returned function is called. It waits until the files stay the same
 * for a second, so that a certificate and its key are read together.
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
