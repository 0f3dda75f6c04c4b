export { type Context, createContext, type Io } from "./context.ts";
export { FAILED } from "./exit-status.ts";
export { main, type Settings } from "./main.ts";
export { ClosedPipe, type Output } from "./output-stream.ts";
