import { useCallback, useRef, useState } from "preact/hooks";
import { type LoadedList, splitLists } from "../../hooks/use-lists.ts";
import type { EngineChoice } from "../../model/engine.ts";
import type { CheckProgress } from "../../model/messages.ts";
import type { WorkerClient } from "../../worker-client.ts";

/** The source of many URLs: a file, or the text of a field. */
export type UrlSource = File | string;

/** A check of many URLs, as far as it is. */
export interface RunningCheck {
  readonly phase: "running" | "done" | "cancelled" | "failed";
  /** Its number, to ask for its rows. */
  readonly job: number;
  /** What is checked, and against which lists. They show whether either has changed since. */
  readonly source: UrlSource;
  readonly lists: readonly LoadedList[];
  /** `null` until the first lines are checked. */
  readonly progress: CheckProgress | null;
  readonly problem: string | null;
}

export interface BulkChecking {
  /** `null` until something was checked. */
  readonly check: RunningCheck | null;
  /** Starts a new check. A running one is cancelled. */
  readonly start: (source: UrlSource, lists: readonly LoadedList[], engine: EngineChoice) => void;
  readonly cancel: () => void;
}

/** Checks many URLs in the worker. */
export function useBulkCheck(worker: WorkerClient): BulkChecking {
  const [check, setCheck] = useState<RunningCheck | null>(null);
  const job = useRef<number | null>(null);

  const cancel = useCallback((): void => {
    if (job.current !== null) worker.cancel(job.current);
  }, [worker]);

  const start = useCallback(
    (source: UrlSource, lists: readonly LoadedList[], engine: EngineChoice): void => {
      cancel();
      const change = (changed: Partial<RunningCheck>): void =>
        // What comes late from the check before does not count.
        setCheck((now) => (now?.job === current ? { ...now, ...changed } : now));
      const bytes = typeof source === "string" ? new Blob([source]) : source;
      const current = worker.check(bytes, splitLists(lists), engine, {
        onProgress: (progress) => change({ progress }),
        onFinished: (progress, isCancelled) =>
          change({ progress, phase: isCancelled ? "cancelled" : "done" }),
        onFailed: (problem) => change({ phase: "failed", problem }),
      });
      job.current = current;
      setCheck({ phase: "running", job: current, source, lists, progress: null, problem: null });
    },
    [worker, cancel],
  );

  return { check, start, cancel };
}
