export type { ReadingChoice } from "@x/canon/readings";
export { DOUBTFUL_CHANCE } from "./certainty.ts";
export { chanceOfFalseMatch } from "./chance.ts";
export { type Checker, type CheckerOptions, checker } from "./checker.ts";
export type { InnerUrl, Unwrap } from "./inner-url.ts";
export type { ScanOptions, ScanResult } from "./scan.ts";
export {
  type ReadingHash,
  readingHashes,
  type UrlHash,
  type UrlHashOptions,
  urlHashes,
} from "./url-hashes.ts";
export type { LineProblem, LineVerdict, Match, Reading, UrlVerdict } from "./verdict.ts";
