import { fromListUpdateResponse } from "@x/wire/v4";
import { fromHashList } from "@x/wire/v5";
import { fromThreatListDiff } from "@x/wire/web-risk";
import { applyUpdate, type ListJob, type ListJobResult } from "./apply-update.ts";

/**
 * Decodes an update of one list and applies it. This is the default for `apply`. A worker that receives a job can call
 * this function, and post the result back.
 *
 * @example
 * ```ts
 * import { applyListJob } from "@x/client";
 *
 * // In a worker:
 * const onmessage = ({ data }) => postMessage(applyListJob(data));
 * ```
 */
export function applyListJob(job: ListJob): ListJobResult {
  return applyUpdate(job, (update) => {
    if (update.protocol === "v5") return fromHashList(update.message);
    if (update.protocol === "v4") return fromListUpdateResponse(update.message);
    return fromThreatListDiff(update.message);
  });
}
