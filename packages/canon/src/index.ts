export type { CanonicalizationStepName, CanonicalUrl } from "./canonicalize.ts";
export { CanonError, type CanonErrorCode, MAX_URL_LENGTH } from "./error.ts";
export {
  type CanonicalizationStep,
  explainCanonicalization,
  parseUrlWithSteps,
} from "./explain.ts";
export { canonicalize, parseUrl, tryParseUrl } from "./parse.ts";
export type { HostType } from "./steps/ip-address.ts";
