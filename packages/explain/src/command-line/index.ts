export { completionScript, SHELLS } from "./completions.ts";
export type { DefinedArgument, DefinedCommand, DefinedHelp, DefinedOption } from "./describe.ts";
export { type ManPageTexts, manPage } from "./man-page.ts";
