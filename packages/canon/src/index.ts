export type { CanonicalizationStepName, CanonicalUrl } from "./canonicalize.ts";
export { CanonError, type CanonErrorCode } from "./error.ts";
export { type CanonicalizationStep, explainCanonicalization } from "./explain.ts";
export { resolveUri } from "./hierarchical/resolve.ts";
export { canonicalizeHierarchical, type HierarchicalOptions } from "./hierarchical.ts";
export type { HostType } from "./host.ts";
export { MAX_URL_LENGTH } from "./max-url-length.ts";
export { canonicalize, parseUrl, tryParseUrl } from "./parse.ts";
export { type CanonicalSpans, verifyCanonical } from "./verify.ts";
