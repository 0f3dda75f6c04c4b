export type { ReadingChoice } from "@x/canon/readings";
export { type Checker, type CheckerOptions, checker } from "./checker.ts";
export { chanceOfFalseMatch, DOUBTFUL_CHANCE } from "./confirmed-match.ts";
export type { ScanOptions } from "./scan.ts";
export {
  readingHashes,
  type UrlHash,
  type UrlHashOptions,
  urlHashes,
} from "./url-hashes.ts";
export type {
  InnerUrl,
  LineProblem,
  LineVerdict,
  Match,
  Reading,
  Unwrap,
  UrlVerdict,
} from "./verdict.ts";
