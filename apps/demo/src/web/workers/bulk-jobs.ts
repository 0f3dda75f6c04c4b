import { foreignSource, RECOGNITION_BYTES } from "@x/list-source";
import { type BulkCheck, type BulkLists, bulkCheck } from "../model/bulk/bulk-check.ts";
import { type DownloadFormat, downloadOf } from "../model/bulk/download.ts";
import { type RowFilter, type RowOrder, type Select, selector } from "../model/bulk/selection.ts";
import type { EngineChoice } from "../model/engine.ts";
import type { Row } from "../model/row.ts";
import { handleWaitingMessages, TURN_MS } from "./handle-waiting-messages.ts";

const PAGE_ROWS = 100;
const REPORT_MS = 100;

interface CheckAsked extends BulkLists {
  /** The number of the check. */
  readonly job: number;
  /** The lines: a file, or the text of a field. */
  readonly source: Blob;
  readonly engine: EngineChoice;
}

/** A request for rows of a check. */
export interface RowsAsked {
  readonly job: number;
  readonly filter: RowFilter;
  readonly order: RowOrder;
  /** The number of the page, from 1. For a number that is too large, the last page is returned. */
  readonly page: number;
}

export interface RowsPage {
  readonly rows: readonly Row[];
  /** The number of rows on all pages. */
  readonly total: number;
  /** The number of the page, from 1. */
  readonly page: number;
  readonly pages: number;
  /** The number of rows before the first one on this page. */
  readonly before: number;
}

/** A request for all rows that pass a filter, as a file. */
interface DownloadAsked extends Omit<RowsAsked, "page"> {
  readonly format: DownloadFormat;
}

export type CheckProgress = ReturnType<typeof progressOf>;

/** The progress and the findings of a check. */
function progressOf(check: BulkCheck) {
  return {
    /** How many bytes have been checked. */
    done: check.done(),
    /** How many bytes there are. */
    total: check.total,
    /** How many lines have been checked, not counting blank lines. */
    checked: check.lines.size(),
    counts: { ...check.counts },
    /** The share of harmless URLs that are listed by chance. */
    chance: check.chance,
    entries: check.tally.entries(),
    hosts: check.tally.hosts(),
    engine: check.engine,
    /** The time that checking has taken so far, in milliseconds. */
    milliseconds: check.milliseconds(),
  };
}

/** Refuses a file in another format, because verdicts on its lines would mean nothing. */
function refuseForeign(bytes: Uint8Array): void {
  const found = foreignSource(bytes.subarray(0, RECOGNITION_BYTES));
  if (found === null) return;
  throw new Error(`this looks like ${found}, not one URL per line; “Lists” takes lists`);
}

/** The checks of many URLs. The worker keeps only the latest check, and does a part of it each time the page asks. */
export function bulkJobs() {
  let current: { readonly job: number; readonly check: BulkCheck; readonly select: Select } | null;
  current = null;

  function currentCheck(job: number) {
    if (current?.job !== job) throw new Error("the rows of this check are gone");
    return current;
  }

  return {
    async startCheck({ job, source, engine, ...lists }: CheckAsked): Promise<void> {
      const bytes = new Uint8Array(await source.arrayBuffer());
      refuseForeign(bytes);
      // A later check may have started in the meantime.
      if (current !== null && current.job > job) return;
      const check = bulkCheck(bytes, lists, engine);
      current = { job, check, select: selector(check, handleWaitingMessages, TURN_MS) };
    },

    /** Continues a check for a short time, and then reports the progress. The first report comes at once. */
    async continueCheck(job: number): Promise<CheckProgress> {
      const { check } = currentCheck(job);
      let turn = performance.now();
      const end = check.done() === 0 ? turn : turn + REPORT_MS;
      while (check.checkNext() && performance.now() < end && current?.job === job) {
        if (performance.now() - turn < TURN_MS) continue;
        await handleWaitingMessages();
        turn = performance.now();
      }
      return progressOf(check);
    },

    async rows({ job, filter, order, page: asked }: RowsAsked): Promise<RowsPage> {
      const { check, select } = currentCheck(job);
      const selected = await select(filter, order);
      const pages = Math.max(1, Math.ceil(selected.length / PAGE_ROWS));
      const page = Math.min(asked, pages);
      const before = (page - 1) * PAGE_ROWS;
      const shown = selected.slice(before, before + PAGE_ROWS);
      return { rows: shown.map(check.rowAt), total: selected.length, page, pages, before };
    },

    async download({ job, filter, order, format }: DownloadAsked): Promise<Blob> {
      const { check, select } = currentCheck(job);
      // Copy the selection, because it may grow in the meantime.
      const selected = (await select(filter, order)).slice();
      return downloadOf(check, selected, format, handleWaitingMessages);
    },
  };
}
