export { MAX_URL_LENGTH } from "./byte-string.ts";
export {
  type CanonicalizationStep,
  type CanonicalizationStepName,
  type CanonicalUrl,
  canonicalize,
  explainCanonicalization,
  parseUrl,
  tryParseUrl,
} from "./canonicalize.ts";
export {
  CanonError,
  type CanonErrorCode,
  type DescribedProblem,
  describeProblem,
  type UrlProblem,
} from "./error.ts";
export type { HostType } from "./steps/url-parts.ts";
