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
  MAX_URL_LENGTH,
  type UrlProblem,
} from "./error.ts";
export type { HostType } from "./steps/url-parts.ts";
