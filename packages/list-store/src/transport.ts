export { inParallel } from "./in-parallel.ts";
export {
  describeFailure,
  exchange,
  isSameServer,
  type LimitedAnswer,
  type Limits,
  retryAfter,
  unlessAborted,
  withTimeout,
} from "./requests.ts";
