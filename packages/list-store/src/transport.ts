export { inParallel } from "./in-parallel.ts";
export { describeFailure, retryAfter } from "./transport/failure.ts";
export { readBody } from "./transport/read-body.ts";
export { isSameServer } from "./transport/redirects.ts";
export { stallWatch } from "./transport/stall-watch.ts";
