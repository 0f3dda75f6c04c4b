export type { Io, MaybeTerminal } from "./io.ts";
export { listenProblem } from "./listen-problem.ts";
export { failTo, reasonOf } from "./reason.ts";
