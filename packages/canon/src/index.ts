export { type CanonicalizationStepName, type CanonicalUrl, canonicalize } from "./canonicalize.ts";
export {
  CanonError,
  type CanonErrorCode,
  type DescribedProblem,
  describeProblem,
  type UrlProblem,
} from "./error.ts";
export { type CanonicalizationStep, explainCanonicalization } from "./explain.ts";
export { MAX_URL_LENGTH } from "./longest-url.ts";
export { parseUrl, tryParseUrl } from "./parse.ts";
export type { HostType } from "./steps/url-parts.ts";
