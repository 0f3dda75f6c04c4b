import { type FairQueue, fairQueue } from "../fairness/fair-queue.ts";
import { HttpProblem } from "../http/http-problem.ts";

/**
 * Creates the queue in which the changes since a client's version are joined. Joins run one at a time, and clients take
 * turns.
 */
export function joinQueue(): FairQueue {
  return fairQueue({
    atOnce: 1,
    perClient: 32,
    total: 1000,
    refusal: () => new HttpProblem(429, "Too many updates are waiting.", { "Retry-After": "60" }),
  });
}
