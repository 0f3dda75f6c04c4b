export { type CanonicalizationStepName, type CanonicalUrl, canonicalize } from "./canonicalize.ts";
export {
  CanonError,
  type CanonErrorCode,
  type DescribedProblem,
  describeProblem,
  MAX_URL_LENGTH,
  type UrlProblem,
} from "./error.ts";
export { type CanonicalizationStep, explainCanonicalization } from "./explain.ts";
export { parseUrl, tryParseUrl } from "./parse.ts";
export type { HostType } from "./steps/url-parts.ts";
