import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";
import type { ListJob, ListJobResult } from "./list-job.ts";

/**
 * Does a job with `apply`, which may be in a worker, and checks the result with `check`.
 *
 * @throws {ClientError} `apply-failed` when `apply` fails or its result is wrong. This says nothing about the list.
 */
export async function runJob<Job extends ListJob, Result extends ListJobResult>(
  job: Job,
  apply: (job: Job) => ListJobResult | Promise<ListJobResult>,
  check: (result: Result, job: Job) => Result,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return check((await unlessAborted(apply(job), signal)) as Result, job);
  } catch (cause) {
    signal?.throwIfAborted();
    const { name } = job;
    const message = `The list ${name} could not be decoded: ${(cause as Error)?.message ?? cause}`;
    throw new ClientError("apply-failed", message, { list: name, cause });
  }
}
