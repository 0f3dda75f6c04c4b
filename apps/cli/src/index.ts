export { type Context, createContext, type Io, type Settings } from "./context.ts";
export { FAILED } from "./exit-status.ts";
export { main } from "./main.ts";
export { ClosedPipe, type Output } from "./output-stream.ts";
