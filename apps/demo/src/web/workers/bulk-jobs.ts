import { foreignSource, RECOGNITION_BYTES } from "@x/list-source";
import { type BulkCheck, bulkCheck } from "../model/bulk/bulk-check.ts";
import { downloadOf } from "../model/bulk/download.ts";
import { type Select, selector } from "../model/bulk/selection.ts";
import type {
  CheckMessage,
  CheckProgress,
  DownloadAsked,
  FromWorker,
  RowsAsked,
  RowsPage,
} from "../model/messages.ts";
import { takeMessages } from "./turns.ts";

const PAGE_ROWS = 100;
/** The worker takes messages at least this often. */
const TURN_MS = 16;
const REPORT_MS = 100;

interface CurrentCheck {
  readonly job: number;
  readonly check: BulkCheck;
  readonly select: Select;
}

function progressOf(check: BulkCheck): CheckProgress {
  return {
    done: check.done(),
    total: check.total,
    checked: check.lines.size(),
    counts: { ...check.counts },
    entries: check.tally.entries(),
    hosts: check.tally.hosts(),
    engine: check.engine,
    milliseconds: check.milliseconds(),
  };
}

/** If a hosts file were read as URLs, every line would be "not listed". */
function refuseForeign(bytes: Uint8Array): void {
  const found = foreignSource(bytes.subarray(0, RECOGNITION_BYTES));
  if (found === null) return;
  throw new Error(`this looks like ${found}, not one URL per line; “Lists” takes lists`);
}

/** The checks of many URLs. The worker keeps the latest one. */
export function bulkJobs(send: (message: FromWorker) => void) {
  const running = new Set<number>();
  let current: CurrentCheck | null = null;

  async function run(message: CheckMessage): Promise<void> {
    const { job, source, engine } = message;
    running.add(job);
    const bytes = new Uint8Array(await source.arrayBuffer());
    refuseForeign(bytes);
    const check = bulkCheck(bytes, message, engine);
    current = { job, check, select: selector(check, takeMessages) };
    let reported = Number.NEGATIVE_INFINITY;
    for (let hasMore = true, turn = performance.now(); hasMore && running.has(job); ) {
      hasMore = check.checkNext();
      const now = performance.now();
      if (now - reported > REPORT_MS) {
        send({ kind: "progress", job, progress: progressOf(check) });
        reported = now;
      } else if (now - turn < TURN_MS) continue;
      await takeMessages();
      turn = performance.now();
    }
    const isCancelled = !running.delete(job);
    send({ kind: "finished", job, isCancelled, progress: progressOf(check) });
  }

  function currentCheck(job: number): CurrentCheck {
    if (current?.job !== job) throw new Error("the rows of this check are gone");
    return current;
  }

  async function rows({ job, filter, order, page: asked }: RowsAsked): Promise<RowsPage> {
    const { check, select } = currentCheck(job);
    const selected = await select(filter, order);
    const pages = Math.max(1, Math.ceil(selected.length / PAGE_ROWS));
    const page = Math.min(asked, pages);
    const before = (page - 1) * PAGE_ROWS;
    const shown = selected.subarray(before, before + PAGE_ROWS);
    return { rows: Array.from(shown, check.rowAt), total: selected.length, page, pages, before };
  }

  async function download({ job, filter, order, format }: DownloadAsked): Promise<Blob> {
    const { check, select } = currentCheck(job);
    // A copy: the selection may grow meanwhile.
    const selected = (await select(filter, order)).slice();
    return downloadOf(check, selected, format, takeMessages);
  }

  return { run, cancel: (job: number) => void running.delete(job), rows, download };
}
