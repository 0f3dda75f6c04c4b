export { changeFile } from "./change-file.ts";
export { listenProblem } from "./listen-problem.ts";
export { namesProxy } from "./names-proxy.ts";
export { failTo, reasonOf } from "./reason.ts";
export { removeLeftovers, removeOnSignal, replaceFile, replaceFileBy } from "./replace-file.ts";
