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
import { bulkJobs } from "./bulk-jobs.ts";

/*
 * Does the work that may take long. While it checks many URLs, it takes messages again and again, so that it can
 * be told to stop or be asked something else. It lives as long as the page: a new worker would have to be fetched.
 */

const worker = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: FromWorker): void => worker.postMessage(message);

const bulk = bulkJobs(send);

const ANSWERS: Questions = {
  "read-list": readList,
  "match-hashed": matchHashed,
  "find-urns": findUrnsIn,
  "explain-urns": explainUrns,
  rows: bulk.rows,
  download: bulk.download,
};

async function answerTo<Q extends Question>(question: Q, asked: Asked<Q>): Promise<Answer<Q>> {
  // The compiler does not see that each function takes the argument of its question.
  return (ANSWERS[question] as (asked: Asked<Q>) => Answer<Q> | Promise<Answer<Q>>)(asked);
}

async function answer(message: ToWorker): Promise<void> {
  try {
    if (message.kind === "cancel") bulk.cancel(message.job);
    else if (message.kind === "check") await bulk.run(message);
    else {
      const { job, question, asked } = message;
      send({ kind: "answer", job, answer: await answerTo(question, asked) });
    }
  } catch (error) {
    send({ kind: "failed", job: message.job, message: (error as Error).message });
  }
}

worker.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void answer(data));
