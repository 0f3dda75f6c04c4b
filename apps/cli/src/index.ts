export { type Context, createContext, type Io } from "./context.ts";
export { FAILED } from "./exit-status.ts";
export { Failure, reasonOf } from "./failure.ts";
export { main, type Settings } from "./main.ts";
export { ClosedPipe, type Output } from "./output-stream.ts";
