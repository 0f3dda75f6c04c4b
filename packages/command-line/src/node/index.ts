export { changeFile } from "./change-file.ts";
export { listenProblem } from "./listen-problem.ts";
export { namesProxy } from "./names-proxy.ts";
export { failTo, reasonOf } from "./reason.ts";
export { replaceFile, replaceFileBy } from "./replace-file.ts";
export { removeLeftovers, removeOnSignal, temporaryPath } from "./temporary-files.ts";
