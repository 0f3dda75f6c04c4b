export type { ReadingChoice } from "@x/canon/readings";
export { type Checker, type CheckerOptions, checker } from "./checker.ts";
export {
  readingHashes,
  type UrlHash,
  type UrlHashOptions,
  urlHashes,
} from "./url-hashes.ts";
export {
  chanceOfFalseMatch,
  DOUBTFUL_CHANCE,
  type InnerUrl,
  type LineProblem,
  type LineVerdict,
  type Match,
  type Reading,
  type Unwrap,
  type UrlVerdict,
} from "./verdict.ts";
