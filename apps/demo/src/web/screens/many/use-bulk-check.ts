import { useCallback, useRef, useState } from "preact/hooks";
import { usePending } from "../../hooks/use-pending.ts";
import type { EngineChoice } from "../../model/engine.ts";
import { type PageList, splitLists } from "../../model/page-list.ts";
import { ask } from "../../worker-client.ts";
import type { CheckProgress } from "../../workers/bulk-jobs.ts";

/** A check of many URLs, and its progress. */
export interface RunningCheck {
  readonly phase: "running" | "done" | "cancelled" | "failed";
  /** The number of the check, which is needed to ask for its rows. */
  readonly job: number;
  /** The input and the lists of the check. The screen warns if the user has changed them since. */
  readonly source: File | string;
  readonly lists: readonly PageList[];
  /** `null` until the first lines are checked. */
  readonly progress: CheckProgress | null;
  readonly problem: string | null;
}

export type BulkChecking = ReturnType<typeof useBulkCheck>;

/** Checks many URLs in the worker, which does a part of a check each time this hook asks. */
export function useBulkCheck() {
  /** `null` until something was checked. */
  const [check, setCheck] = useState<RunningCheck | null>(null);
  usePending(check?.phase === "running");
  const latest = useRef(0);
  const running = useRef<number | null>(null);

  const cancel = useCallback((): void => {
    running.current = null;
  }, []);

  /** Starts a new check. A running one is cancelled. */
  const start = useCallback(
    async (
      source: File | string,
      lists: readonly PageList[],
      engine: EngineChoice,
    ): Promise<void> => {
      const job = ++latest.current;
      running.current = job;
      const change = (changed: Partial<RunningCheck>): void =>
        // Ignore a late result of an earlier check.
        setCheck((now) => (now?.job === job ? { ...now, ...changed } : now));
      setCheck({ phase: "running", job, source, lists, progress: null, problem: null });
      try {
        const lines = typeof source === "string" ? new Blob([source]) : source;
        await ask("startCheck", { job, source: lines, ...splitLists(lists), engine });
        for (let phase: RunningCheck["phase"] = "running"; phase === "running"; ) {
          const progress = await ask("continueCheck", job);
          if (progress.done === progress.total) phase = "done";
          else if (running.current !== job) phase = "cancelled";
          change({ progress, phase });
        }
      } catch (error) {
        change({ phase: "failed", problem: (error as Error).message });
      }
    },
    [],
  );

  return { check, start, cancel };
}
