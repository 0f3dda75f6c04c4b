export { inParallel } from "./in-parallel.ts";
export { describeFailure } from "./transport/describe-failure.ts";
export { readBody } from "./transport/read-body.ts";
export { isSameServer } from "./transport/redirects.ts";
export { retryAfter } from "./transport/retry-after.ts";
export { stallWatch } from "./transport/stall-watch.ts";
