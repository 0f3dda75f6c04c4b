export { changeFile } from "./change-file.ts";
export { namesProxy } from "./names-proxy.ts";
export { isTerminal, type Progress, startProgress, timeLeft } from "./progress.ts";
export { failTo, listenProblem, reasonOf } from "./reason.ts";
export {
  removeOnSignal,
  replaceFile,
  replaceFileBy,
  temporaryPath,
  writeBeside,
} from "./replace-file.ts";
