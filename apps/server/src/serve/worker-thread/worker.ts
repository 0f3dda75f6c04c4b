import { parentPort } from "node:worker_threads";
import { buffersIn, JOBS, type JobAnswer, type SentJob } from "./jobs.ts";

const port = parentPort!;

function answerOf({ id, name, argument }: SentJob): JobAnswer {
  try {
    return { id, value: JOBS[name](argument as never) };
  } catch (thrown) {
    const { name = "Error", code = "", message = "" } = thrown as Partial<Error & { code: string }>;
    return { id, error: { name, code, message } };
  }
}

port.on("message", (job: SentJob) => {
  const answer = answerOf(job);
  port.postMessage(answer, buffersIn(answer));
});
