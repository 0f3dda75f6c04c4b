import type { PrefixList } from "@x/prefix-list";
import { type Line, lineSplitter } from "../../lines.ts";
import { lineTooLong } from "../../text/line-too-long.ts";
import { createChecking } from "../model/checking.ts";
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
import { decodeLine, type Row } from "../model/row.ts";

/*
 * Does beside the page what may take long. From the check of many URLs it looks up after every batch, so that
 * it can be told to stop, or be asked something else. It lives as long as the page: a new one would have to be
 * fetched.
 */

const worker = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: FromWorker): void => worker.postMessage(message);

const BATCH_OCTETS = 2 ** 16;

const cancelled = new Set<number>();

/** Lets messages in that came meanwhile. */
const lookUp = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** What is said of a line that is not taken. */
function tooLong({ number, octets }: Line): Row {
  const error = lineTooLong(octets);
  return { line: number, ...decodeLine(octets), canonical: null, matches: [], error };
}

async function check({
  job,
  octets,
  lists,
  engine,
}: Extract<ToWorker, { kind: "check" }>): Promise<void> {
  const checking = createChecking(lists as PrefixList[], engine);
  const splitter = lineSplitter();
  let milliseconds = 0;
  const checkLines = async (lines: readonly Line[], done: number): Promise<void> => {
    const started = performance.now();
    const taken = lines.filter((line) => !line.isTooLong);
    const verdicts = checking.checkMany(taken.map((line) => line.octets)).values();
    milliseconds += performance.now() - started;
    const rows = lines.map((line): Row => {
      if (line.isTooLong) return tooLong(line);
      return { line: line.number, ...decodeLine(line.octets), ...verdicts.next().value! };
    });
    send({ kind: "rows", job, rows, done, total: octets.length });
    await lookUp();
  };
  for (let done = 0; done < octets.length && !cancelled.has(job); ) {
    const batch = octets.subarray(done, done + BATCH_OCTETS);
    done += batch.length;
    await checkLines(splitter.push(batch), done);
  }
  if (!cancelled.has(job)) await checkLines(splitter.end(), octets.length);
  const isCancelled = cancelled.delete(job);
  send({ kind: "finished", job, isCancelled, engine: checking.engine, milliseconds });
}

const ANSWERS: Questions = {
  "read-list": readList,
  "match-hashed": matchHashed,
  "find-urns": findUrnsIn,
};

function answerTo<Q extends Question>(question: Q, asked: Asked<Q>): Answer<Q> {
  // The compiler does not see that the answer to a question takes what is asked with it.
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
