import { useEffect, useState } from "preact/hooks";
import { ask } from "../worker-client.ts";
import type { CheckAsked, CheckProgress, Opened } from "../workers/check-jobs.ts";
import { usePending } from "./use-pending.ts";

/** A text or a file whose URLs are checked, and the lists that they are looked up in. */
type Question = Omit<CheckAsked, "engine">;

/** If the policy in the page forbids WebAssembly, it is not even tried: the browser would report a violation. */
const policies = [...document.querySelectorAll<HTMLMetaElement>("meta[http-equiv]")];
const isPermitted = policies.every(({ content }) => content.includes("'wasm-unsafe-eval'"));
const ENGINE = isPermitted ? "auto" : "javascript";

/** A check of many URLs, so far. */
export type CheckState = { readonly asked: Question; readonly isDone: boolean } & (
  | { readonly problem: null; readonly opened: Opened; readonly progress: CheckProgress }
  | { readonly problem: string; readonly opened: null; readonly progress: null }
);

/**
 * Checks the URLs of a text or a file in the worker, which does a part of the check each time this hook asks.
 *
 * @param asked a new object for each new question; `null` for none.
 * @returns `null` until there is something to show.
 */
export function useCheck(asked: Question | null): CheckState | null {
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
      const opened = await ask("openCheck", { ...asked, engine: ENGINE });
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
