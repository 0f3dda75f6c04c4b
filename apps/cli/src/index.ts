export type { Io, MaybeTerminal } from "./context.ts";
export { main, type Settings } from "./main.ts";
