import type { PrefixList } from "@x/prefix-list";
import { createChecking } from "../model/checking.ts";
import { type Line, linesOf, MAX_LINE_BYTES } from "../model/lines.ts";
import type { FromWorker, ToWorker } from "../model/messages.ts";
import { readList } from "../model/read-list.ts";
import { decodeLine, type Row } from "../model/row.ts";

/*
 * Checks many URLs, and reads lists, beside the page. It looks up from its work after every batch, so that
 * it can be told to stop, and lives as long as the page: a new one would have to be fetched.
 */

const worker = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: FromWorker): void => worker.postMessage(message);

const BATCH_LINES = 1000;
const BATCH_OCTETS = 2 ** 19;

const cancelled = new Set<number>();

/** Lets messages in that came meanwhile. */
const lookUp = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const SHOWN_BYTES = 256;

/** What is said of a line that is not taken; nothing is said of what it starts with. */
function tooLong({ number, octets }: Line): Row {
  const message = `The line is longer than ${MAX_LINE_BYTES} octets.`;
  const given = decodeLine(octets.subarray(0, SHOWN_BYTES));
  const error = { code: "line-too-long", message };
  return { line: number, ...given, canonical: null, matches: [], error };
}

async function check({
  job,
  octets,
  lists,
  engine,
}: Extract<ToWorker, { kind: "check" }>): Promise<void> {
  const checking = createChecking(lists as PrefixList[], engine);
  let milliseconds = 0;
  let batch: Line[] = [];
  let batchStart = 0;
  const finishBatch = async (done: number): Promise<void> => {
    const started = performance.now();
    const verdicts = checking.checkMany(batch.map((line) => line.octets));
    milliseconds += performance.now() - started;
    const rows = batch.map(({ number, octets: line }, i): Row => {
      return { line: number, ...decodeLine(line), ...verdicts[i]! };
    });
    send({ kind: "rows", job, rows, done, total: octets.length });
    batch = [];
    batchStart = done;
    await lookUp();
  };
  for (const line of linesOf(octets)) {
    if (cancelled.has(job)) break;
    if (line.octets.length > MAX_LINE_BYTES) {
      await finishBatch(line.next);
      send({ kind: "rows", job, rows: [tooLong(line)], done: line.next, total: octets.length });
      continue;
    }
    batch.push(line);
    const isFull = batch.length >= BATCH_LINES || line.next - batchStart >= BATCH_OCTETS;
    if (isFull) await finishBatch(line.next);
  }
  if (!cancelled.has(job)) await finishBatch(octets.length);
  const isCancelled = cancelled.delete(job);
  send({ kind: "finished", job, isCancelled, engine: checking.engine, milliseconds });
}

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === "cancel") {
    cancelled.add(message.job);
    return;
  }
  try {
    if (message.kind === "check") return await check(message);
    send({ kind: "list", job: message.job, ...readList(message.octets, message.name) });
  } catch (error) {
    send({ kind: "failed", job: message.job, message: (error as Error).message });
  }
}

worker.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void answer(data));
