export type { CanonicalizationStepName, CanonicalUrl } from "./canonicalize.ts";
export {
  CanonError,
  type CanonErrorCode,
  type DescribedProblem,
  describeProblem,
  MAX_URL_LENGTH,
  type UrlProblem,
} from "./error.ts";
export {
  type CanonicalizationStep,
  explainCanonicalization,
  parseUrlWithSteps,
} from "./explain.ts";
export { canonicalize, parseUrl, tryParseUrl } from "./parse.ts";
export type { HostType } from "./steps/ip-address.ts";
