import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";
import {
  type ApplyListJob,
  checkApplied,
  type ListJob,
  type ListJobResult,
} from "./apply-update.ts";

/**
 * Does a job with `apply`, which may run in a worker, and checks the result.
 *
 * @throws {ClientError} `apply-failed` when `apply` fails or its result is wrong. The list itself may be intact.
 */
export async function runJob(
  job: ListJob,
  apply: ApplyListJob,
  signal: AbortSignal,
): Promise<ListJobResult> {
  try {
    return checkApplied(await unlessAborted(apply(job), signal), job);
  } catch (cause) {
    signal.throwIfAborted();
    const { name } = job;
    const message = `The update of the list ${name} could not be applied: ${(cause as Error)?.message ?? cause}`;
    throw new ClientError("apply-failed", message, { list: name, cause });
  }
}
