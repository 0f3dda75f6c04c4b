export { inParallel } from "./in-parallel.ts";
export { describeFailure, isSameServer, readBody, retryAfter, stallWatch } from "./requests.ts";
