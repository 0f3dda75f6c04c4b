import type { FairQueueOptions } from "./fairness/fair-queue.ts";
import type { TurnsOptions } from "./fairness/turns.ts";
import { HttpProblem } from "./http/http-problem.ts";

const refusal = () =>
  new HttpProblem(429, "Too many requests are waiting.", { "Retry-After": "1" });
/** How many parts of long computations may wait for their turn. */
export const TURNS: TurnsOptions = { perClient: 1000, total: 10_000, refusal };
/** How many look-ups of many URLs run at the same time, and how many may wait. */
export const LOOK_UPS: FairQueueOptions = { atOnce: 8, perClient: 1000, total: 10_000, refusal };
