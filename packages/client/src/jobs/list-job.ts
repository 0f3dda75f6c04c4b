import type { AppliedUpdate, UpdateJob } from "./apply-update.ts";
import type { DecodedList, DecodeJob } from "./decode-list.ts";

/** Work on one list that takes long for a long list. */
export type ListJob = DecodeJob | UpdateJob;

/** The result of a {@link ListJob}. */
export type ListJobResult = DecodedList | AppliedUpdate;

/** Does the jobs of a client. A function of your own may do so in a worker. */
export type ApplyListJob = (job: ListJob) => ListJobResult | Promise<ListJobResult>;
