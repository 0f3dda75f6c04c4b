import { checkedUrl } from "@x/explain";
import { checker } from "@x/lookup";
import { type LineBlock, lineReader } from "@x/lookup/lines";
import { explainUrns } from "../model/explain-urns.ts";
import { findUrnsIn } from "../model/find-urns-in.ts";
import { matchHashed } from "../model/match-hashed.ts";
import type {
  Answer,
  Asked,
  FromWorker,
  Question,
  Questions,
  ToWorker,
} from "../model/messages.ts";
import { readList } from "../model/read-list.ts";
import type { Row } from "../model/row.ts";

/*
 * Does the work that may take long. While it checks many URLs, it takes messages after every piece, so that it can
 * be told to stop or be asked something else. It lives as long as the page: a new worker would have to be fetched.
 */

const worker = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: FromWorker): void => worker.postMessage(message);

const PIECE_BYTES = 2 ** 16;

const cancelled = new Set<number>();

/** Lets waiting messages in. */
const takeMessages = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function check(message: Extract<ToWorker, { kind: "check" }>): Promise<void> {
  const { job, bytes, lists, safeLists, engine } = message;
  const { engine: running, scan } = checker(lists, { engine, safeLists });
  const reader = lineReader();
  let milliseconds = 0;

  async function checkBlock(block: LineBlock, done: number): Promise<void> {
    const started = performance.now();
    const { findings } = scan(block, { all: true });
    milliseconds += performance.now() - started;
    const rows = findings.map(
      (verdict): Row => ({
        line: verdict.line + 1,
        ...checkedUrl(block.bytes.subarray(verdict.start, verdict.end), verdict),
      }),
    );
    send({ kind: "rows", job, rows, done, total: bytes.length });
    await takeMessages();
  }

  for (let done = 0; done < bytes.length && !cancelled.has(job); ) {
    const piece = bytes.subarray(done, done + PIECE_BYTES);
    done += piece.length;
    await checkBlock(reader.push(piece), done);
  }
  if (!cancelled.has(job)) await checkBlock(reader.end(), bytes.length);
  const isCancelled = cancelled.delete(job);
  send({ kind: "finished", job, isCancelled, engine: running, milliseconds });
}

const ANSWERS: Questions = {
  "read-list": readList,
  "match-hashed": matchHashed,
  "find-urns": findUrnsIn,
  "explain-urns": explainUrns,
};

function answerTo<Q extends Question>(question: Q, asked: Asked<Q>): Answer<Q> {
  // The compiler does not see that each function takes what is asked with its question.
  return (ANSWERS[question] as (asked: Asked<Q>) => Answer<Q>)(asked);
}

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === "cancel") {
    cancelled.add(message.job);
    return;
  }
  try {
    if (message.kind === "check") return await check(message);
    const { job, question, asked } = message;
    send({ kind: "answer", job, answer: answerTo(question, asked) });
  } catch (error) {
    send({ kind: "failed", job: message.job, message: (error as Error).message });
  }
}

worker.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void answer(data));
