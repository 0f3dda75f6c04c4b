export type { Io, MaybeTerminal } from "./io.ts";
export { failTo, reasonOf } from "./reason.ts";
