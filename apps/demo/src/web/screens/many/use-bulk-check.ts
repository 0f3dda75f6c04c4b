import type { HashEngine } from "@x/sha256-prefix/batch";
import { useCallback, useRef, useState } from "preact/hooks";
import { type LoadedList, splitLists } from "../../hooks/use-lists.ts";
import type { EngineChoice } from "../../model/engine.ts";
import { type Row, type RowVerdict, verdictOfRow } from "../../model/row.ts";
import type { WorkerClient } from "../../worker-client.ts";

/** A file of URLs, one per line. */
export interface UrlFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The source of many URLs: a file, or the text of a field. */
export type UrlSource = UrlFile | string;

/** The progress of a check of many URLs. */
export interface BulkCheck {
  readonly phase: "idle" | "running" | "done" | "cancelled" | "failed";
  /** What is checked, and against which lists. They show whether either has changed since. */
  readonly source: UrlSource | null;
  readonly lists: readonly LoadedList[];
  /** All rows so far. The array grows in place, and `version` changes with it. */
  readonly rows: readonly Row[];
  readonly version: number;
  readonly counts: Readonly<Record<RowVerdict, number>>;
  /** How many bytes are checked, and how many there are. */
  readonly done: number;
  readonly total: number;
  readonly engine: HashEngine | null;
  readonly milliseconds: number;
  readonly problem: string | null;
}

/** Rows come faster than a table of them can be drawn. */
const REFRESH_MS = 100;

const NONE: Readonly<Record<RowVerdict, number>> = {
  listed: 0,
  "not-listed": 0,
  "not-a-url": 0,
};

const IDLE: BulkCheck = {
  phase: "idle",
  source: null,
  lists: [],
  rows: [],
  version: 0,
  counts: NONE,
  done: 0,
  total: 0,
  engine: null,
  milliseconds: 0,
  problem: null,
};

export interface BulkChecking {
  readonly check: BulkCheck;
  /** Starts a new check. A running one is cancelled. */
  readonly start: (source: UrlSource, lists: readonly LoadedList[], engine: EngineChoice) => void;
  readonly cancel: () => void;
}

/** Checks many URLs in the worker. */
export function useBulkCheck(worker: WorkerClient): BulkChecking {
  const [check, setCheck] = useState(IDLE);
  const stop = useRef<(() => void) | null>(null);

  const cancel = useCallback((): void => {
    stop.current?.();
    stop.current = null;
  }, []);

  const start = useCallback(
    (source: UrlSource, lists: readonly LoadedList[], engine: EngineChoice): void => {
      cancel();
      const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source.bytes;
      const rows: Row[] = [];
      const counts = { ...NONE };
      let isCurrent = true;
      let shownAt = 0;
      let progress: Partial<BulkCheck> = {};
      const show = (change: Partial<BulkCheck>): void => {
        if (isCurrent) setCheck((before) => ({ ...before, ...change }));
      };
      setCheck({ ...IDLE, phase: "running", source, lists, rows, total: bytes.length });
      const stopJob = worker.check(bytes, splitLists(lists), engine, {
        onRows(more, done, total) {
          if (!isCurrent) return;
          for (const row of more) {
            rows.push(row);
            counts[verdictOfRow(row)]++;
          }
          progress = { rows, version: rows.length, counts: { ...counts }, done, total };
          if (performance.now() - shownAt < REFRESH_MS) return;
          shownAt = performance.now();
          show(progress);
        },
        onFinished: (isCancelled, usedEngine, milliseconds) =>
          show({
            ...progress,
            phase: isCancelled ? "cancelled" : "done",
            engine: usedEngine,
            milliseconds,
          }),
        onFailed: (problem) => show({ ...progress, phase: "failed", problem }),
      });
      stop.current = () => {
        stopJob();
        // The rows so far stay. Rows that come later do not count.
        show({ ...progress, phase: "cancelled" });
        isCurrent = false;
      };
    },
    [worker, cancel],
  );

  return { check, start, cancel };
}
