import { useEffect, useState } from "preact/hooks";
import { ask } from "../worker-client.ts";
import type { CheckAsked, CheckProgress, Opened } from "../workers/check-jobs.ts";
import { usePending } from "./use-pending.ts";

/** A check of many URLs, so far. */
export type CheckState = { readonly asked: CheckAsked; readonly isDone: boolean } & (
  | { readonly problem: null; readonly opened: Opened; readonly progress: CheckProgress }
  | { readonly problem: string; readonly opened: null; readonly progress: null }
);

/**
 * Checks the URLs of a text or a file in the worker, which does a part of the check each time this hook asks.
 *
 * @param asked a new object for each new question; `null` for none.
 * @returns `null` until there is something to show.
 */
export function useCheck(asked: CheckAsked | null): CheckState | null {
  const [latest, setLatest] = useState<CheckState | null>(null);
  const state = asked !== null && latest?.asked === asked ? latest : null;
  usePending(asked !== null && !state?.isDone);
  useEffect(() => {
    if (asked === null) return;
    let isWanted = true;
    const show = (next: CheckState): void => {
      // Ignore a late result of an earlier question.
      if (isWanted) setLatest(next);
    };
    const run = async (): Promise<void> => {
      const opened = await ask("openCheck", asked);
      for (let isDone = false; isWanted && !isDone; ) {
        const progress = await ask("continueCheck", opened.job);
        isDone = progress.done === progress.total;
        show({ asked, opened, progress, isDone, problem: null });
      }
    };
    run().catch(({ message }: Error) =>
      show({ asked, opened: null, progress: null, isDone: true, problem: message }),
    );
    return () => {
      isWanted = false;
    };
  }, [asked]);
  return state;
}
