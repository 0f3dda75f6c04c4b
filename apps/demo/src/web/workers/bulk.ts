import type { PrefixList } from "@x/prefix-list";
import { type Checking, createChecking } from "../model/checking.ts";
import { type Line, linesOf } from "../model/lines.ts";
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

function toRow({ number, octets }: Line, checking: Checking): Row {
  const given = { line: number, ...decodeLine(octets) };
  try {
    const { canonical, matches } = checking.check(octets);
    return { ...given, canonical, matches, error: null };
  } catch (error) {
    const { name, code, message } = error as Error & { code: string };
    if (name !== "CanonError") throw error;
    return { ...given, canonical: null, matches: [], error: { code, message } };
  }
}

/** Lets messages in that came meanwhile. */
const lookUp = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function check({
  job,
  octets,
  lists,
  engine,
}: Extract<ToWorker, { kind: "check" }>): Promise<void> {
  const checking = createChecking(lists as PrefixList[], engine);
  let milliseconds = 0;
  let rows: Row[] = [];
  let batchStart = 0;
  let started = performance.now();
  const finishBatch = async (done: number): Promise<void> => {
    milliseconds += performance.now() - started;
    send({ kind: "rows", job, rows, done, total: octets.length });
    rows = [];
    batchStart = done;
    await lookUp();
    started = performance.now();
  };
  for (const line of linesOf(octets)) {
    if (cancelled.has(job)) break;
    rows.push(toRow(line, checking));
    const isFull = rows.length >= BATCH_LINES || line.next - batchStart >= BATCH_OCTETS;
    if (isFull) await finishBatch(line.next);
  }
  const isCancelled = cancelled.delete(job);
  if (!isCancelled) await finishBatch(octets.length);
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
