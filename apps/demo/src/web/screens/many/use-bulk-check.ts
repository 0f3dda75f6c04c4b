import type { HashEngine } from "@x/sha256-prefix/batch";
import { useCallback, useRef, useState } from "preact/hooks";
import type { EngineChoice } from "../../model/link.ts";
import { type Row, type RowStatus, statusOf } from "../../model/row.ts";
import type { LoadedList } from "../../use-lists.ts";
import type { WorkerClient } from "../../worker-client.ts";
import type { UrlFile } from "./url-file.ts";

/** Where many URLs come from: a file, or the text of a field. */
export type UrlSource = UrlFile | string;

/** How far a check of many URLs has come. */
export interface BulkCheck {
  readonly phase: "idle" | "running" | "done" | "cancelled" | "failed";
  /** What is checked, against which lists; by these it is told whether either is another by now. */
  readonly source: UrlSource | null;
  readonly lists: readonly LoadedList[];
  /** All rows so far. The array grows in place; `version` tells that it has. */
  readonly rows: readonly Row[];
  readonly version: number;
  readonly counts: Readonly<Record<RowStatus, number>>;
  /** Octets that are dealt with, of all. */
  readonly done: number;
  readonly total: number;
  readonly engine: HashEngine | null;
  readonly milliseconds: number;
  readonly problem: string | null;
}

/** Rows come faster than a table of them can be drawn. */
const REFRESH_MS = 100;

const IDLE: BulkCheck = {
  phase: "idle",
  source: null,
  lists: [],
  rows: [],
  version: 0,
  counts: { listed: 0, clear: 0, error: 0 },
  done: 0,
  total: 0,
  engine: null,
  milliseconds: 0,
  problem: null,
};

export interface BulkChecking {
  readonly check: BulkCheck;
  /** Starts anew; what was running is cancelled. */
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
      const octets = typeof source === "string" ? new TextEncoder().encode(source) : source.octets;
      const rows: Row[] = [];
      const counts = { listed: 0, clear: 0, error: 0 };
      let isCurrent = true;
      let shownAt = 0;
      let progress: Partial<BulkCheck> = {};
      const show = (change: Partial<BulkCheck>): void => {
        if (isCurrent) setCheck((before) => ({ ...before, ...change }));
      };
      setCheck({ ...IDLE, phase: "running", source, lists, rows, total: octets.length });
      const prefixLists = lists.map(({ list }) => list);
      const stopJob = worker.check(octets, prefixLists, engine, {
        onRows(more, done, total) {
          if (!isCurrent) return;
          for (const row of more) {
            rows.push(row);
            counts[statusOf(row)]++;
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
        // What was found before stays to be looked at; what comes late does not count.
        show({ ...progress, phase: "cancelled" });
        isCurrent = false;
      };
    },
    [worker, cancel],
  );

  return { check, start, cancel };
}
