export type { ReadingChoice } from "@x/canon/readings";
export { type Checker, type CheckerOptions, checker } from "./checker.ts";
export { chanceOfFalseMatch, DOUBTFUL_CHANCE } from "./confirmed-match.ts";
export type { InnerUrl, Unwrap } from "./inner-urls/inner-url.ts";
export type { ScanOptions, ScanResult } from "./scan.ts";
export {
  type ReadingHash,
  readingHashes,
  type UrlHash,
  type UrlHashOptions,
  urlHashes,
} from "./url-hashes.ts";
export type { LineProblem, LineVerdict, Match, Reading, UrlVerdict } from "./verdict.ts";
