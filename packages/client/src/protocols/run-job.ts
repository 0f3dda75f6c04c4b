import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";
import {
  type AppliedUpdate,
  type ApplyUpdate,
  checkApplied,
  type ListJob,
} from "./apply-update.ts";

/**
 * Does a job with `apply`, which may be in a worker, and checks the result.
 *
 * @throws {ClientError} `apply-failed` when `apply` fails or its result is wrong. This says nothing about the list.
 */
export async function runJob(
  job: ListJob,
  apply: ApplyUpdate,
  signal?: AbortSignal,
): Promise<AppliedUpdate> {
  try {
    return checkApplied(await unlessAborted(apply(job), signal), job);
  } catch (cause) {
    signal?.throwIfAborted();
    const { name } = job;
    const message = `The list ${name} could not be decoded: ${(cause as Error)?.message ?? cause}`;
    throw new ClientError("apply-failed", message, { list: name, cause });
  }
}
