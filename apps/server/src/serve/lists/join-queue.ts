import { type FairQueue, fairQueue } from "../fairness/fair-queue.ts";
import { HttpProblem } from "../http/http-problem.ts";

/** A queue for joins of changes. They run one at a time, and clients take turns. */
export function joinQueue(): FairQueue {
  return fairQueue({
    atOnce: 1,
    perClient: 32,
    total: 1000,
    refusal: () => new HttpProblem(429, "Too many updates are waiting.", { "Retry-After": "60" }),
  });
}
