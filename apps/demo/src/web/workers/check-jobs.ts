import { toCsv } from "@x/explain";
import { foreignSource, RECOGNITION_BYTES } from "@x/list-source";
import { type Check, type CheckLists, isOneUrlPerLine, lineCheck } from "../model/line-check.ts";
import type { ShownLink } from "../model/link-check.ts";
import type { LinksIn, PastedHtml } from "../model/links-by-format.ts";
import { ROW_VERDICTS, type Row, type RowVerdict } from "../model/verdicts.ts";

const PAGE_ROWS = 100;
/** The worker handles waiting messages about once in this many milliseconds. */
const TURN_MS = 16;
const REPORT_MS = 100;
const ROWS_AT_ONCE = 2000;

/** A text or a file whose URLs are checked, and the lists that they are looked up in. */
export interface CheckAsked extends CheckLists {
  readonly source: Blob;
}

/** What is known about a source before its URLs are checked. */
export interface Opened extends Omit<LinksIn, "links"> {
  /** The number of the check, which is needed to ask for its rows. */
  readonly job: number;
  /** The link of a message that has only one. */
  readonly only: ShownLink | null;
  /** Whether the source has one URL per line. Otherwise, it is a message with links. */
  readonly isLines: boolean;
  /**
   * Whether the only disguises are texts that show another host than their links open, as in newsletters, and none of
   * these is that of a well-known site.
   */
  readonly mayBeNewsletter: boolean;
}

export interface RowsAsked {
  readonly job: number;
  readonly show: RowVerdict | "all";
  /** The number of the page, from 1. For a number that is too large, the last page is returned. */
  readonly page: number;
}

/** A row, its verdict, and the link as the message shows it. */
export interface ShownRow {
  readonly row: Row;
  readonly verdict: RowVerdict;
  readonly link: ShownLink | null;
}

export interface RowsPage {
  readonly rows: readonly ShownRow[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly before: number;
}

export type CheckProgress = ReturnType<typeof progressOf>;

/** The progress and the findings of a check. */
function progressOf(check: Check) {
  const { total, counts, chance } = check;
  return { done: check.done(), total, checked: check.size(), counts: { ...counts }, chance };
}

/** The indices of the rows with a verdict, in the order of the lines; for all rows, the worst verdict first. */
function select(check: Check, show: RowVerdict | "all", isSorted: boolean): readonly number[] {
  const selected: number[] = [];
  const passes = show === "all" && isSorted ? ROW_VERDICTS : [show];
  for (const wanted of passes) {
    for (let i = 0; i < check.size(); i++) {
      if (wanted === "all" || check.verdictAt(i) === wanted) selected.push(i);
    }
  }
  return selected;
}

/**
 * The module that finds links is large, so it is loaded separately, but at once. A later request would tell the server
 * when the user pastes a text.
 */
const finding = import("../model/link-check.ts");

/** The checks of texts and files. The worker keeps only the latest, and does a part of it each time the page asks. */
export function checkJobs() {
  let latest = 0;
  let current: { job: number; check: Check; links: readonly ShownLink[] } | null = null;

  function currentCheck(job: number) {
    if (current?.job !== job) throw new Error("the rows of this check are gone");
    return current;
  }

  return {
    load: async (): Promise<void> => void (await finding),

    async openCheck({ source, ...lists }: CheckAsked): Promise<Opened> {
      const job = ++latest;
      const bytes = new Uint8Array(await source.arrayBuffer());
      const isFile = source instanceof File;
      const isForeign = foreignSource(bytes.subarray(0, RECOGNITION_BYTES)) !== null;
      const isLines = !isForeign && isOneUrlPerLine(bytes);
      if (isLines) {
        const check = lineCheck(bytes, lists);
        if (job === latest) current = { job, check, links: [] };
        const no = { isBroken: false, isBinary: false, isMessage: false, isMail: false };
        return { job, isLines, only: null, unread: [], ...no, mayBeNewsletter: false };
      }
      const { linkCheck, linksIn } = await finding;
      const found = await linksIn(bytes);
      const check = linkCheck(found, lists);
      const { links, mayBeNewsletter } = check;
      if (job === latest) current = { job, check, links };
      const only = links.length === 1 ? links[0]! : null;
      const isBinary = found.isBinary && isFile;
      const { links: _, ...about } = found;
      return { job, isLines, only, ...about, isBinary, mayBeNewsletter };
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

    rows({ job, show, page: asked }: RowsAsked): RowsPage {
      const { check, links } = currentCheck(job);
      const selected = select(check, show, check.done() === check.total);
      const pages = Math.max(1, Math.ceil(selected.length / PAGE_ROWS));
      const page = Math.min(asked, pages);
      const before = (page - 1) * PAGE_ROWS;
      const rows = selected.slice(before, before + PAGE_ROWS).map(
        (index): ShownRow => ({
          row: check.rowAt(index),
          verdict: check.verdictAt(index),
          link: links[index] ?? null,
        }),
      );
      return { rows, total: selected.length, page, pages, before };
    },

    /**
     * All rows as CSV, in the order of the lines. The file is made of blobs, which the browser may keep on the disk.
     */
    async table({ job, show }: Omit<RowsAsked, "page">): Promise<Blob> {
      const { check } = currentCheck(job);
      const selected = select(check, show, false);
      const parts = [new Blob([toCsv([])])];
      for (let next = 0; next < selected.length; next += ROWS_AT_ONCE) {
        const rows = selected.slice(next, next + ROWS_AT_ONCE).map(check.rowAt);
        parts.push(new Blob([csvWithoutHeader(rows)]));
        await handleWaitingMessages();
      }
      return new Blob(parts, { type: "text/csv" });
    },

    async hasHiddenLinks(asked: PastedHtml): Promise<boolean> {
      return (await finding).hasHiddenLinks(asked);
    },
  };
}

function csvWithoutHeader(rows: readonly Row[]): string {
  const table = toCsv(rows);
  return table.slice(table.indexOf("\r\n") + 2);
}

const waiting: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => waiting.shift()?.();

/**
 * Lets the worker handle waiting messages. The function uses a message, not a timer, because browsers slow down
 * repeated timers.
 */
function handleWaitingMessages(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
}
