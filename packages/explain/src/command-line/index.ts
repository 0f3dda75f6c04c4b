export { completionScript, SHELLS } from "./completions.ts";
export type { DefinedCommand } from "./describe.ts";
export { type ManPageTexts, manPage } from "./man-page.ts";
