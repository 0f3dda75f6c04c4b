export {
  ClosedPipe,
  type Context,
  createContext,
  type Io,
  type Output,
  type Settings,
} from "./context.ts";
export { FAILED } from "./exit-status.ts";
export { main } from "./main.ts";
