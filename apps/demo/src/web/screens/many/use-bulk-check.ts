import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { BulkClient } from "../../bulk-client.ts";
import type { EngineChoice } from "../../model/link.ts";
import { type Row, type RowStatus, statusOf } from "../../model/row.ts";

/** How far a check of many URLs has come. */
export interface BulkCheck {
  readonly phase: "idle" | "running" | "done" | "cancelled" | "failed";
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
  rows: [],
  version: 0,
  counts: { listed: 0, clear: 0, error: 0 },
  done: 0,
  total: 0,
  engine: null,
  milliseconds: 0,
  problem: null,
};

/** Checks many URLs in the worker. */
export function useBulkCheck(bulk: BulkClient): {
  readonly check: BulkCheck;
  readonly start: (octets: Uint8Array, lists: readonly PrefixList[], engine: EngineChoice) => void;
  readonly cancel: () => void;
} {
  const [check, setCheck] = useState(IDLE);
  const stop = useRef<(() => void) | null>(null);

  const cancel = useCallback((): void => {
    stop.current?.();
    stop.current = null;
  }, []);

  const start = useCallback(
    (octets: Uint8Array, lists: readonly PrefixList[], engine: EngineChoice): void => {
      cancel();
      const rows: Row[] = [];
      const counts = { listed: 0, clear: 0, error: 0 };
      let isCurrent = true;
      let shownAt = 0;
      let progress: Partial<BulkCheck> = {};
      const show = (change: Partial<BulkCheck>): void => {
        if (isCurrent) setCheck((before) => ({ ...before, ...change }));
      };
      setCheck({ ...IDLE, phase: "running", rows, total: octets.length });
      const stopJob = bulk.check(octets, lists, engine, {
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
    [bulk, cancel],
  );

  useEffect(() => cancel, [cancel]);
  return { check, start, cancel };
}
