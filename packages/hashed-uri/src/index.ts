export type { HashAlgorithm } from "./algorithms.ts";
export { describeProblem, HashedUriError, type HashedUriErrorCode } from "./error.ts";
export { equalHashedUris, formatHashedUri } from "./format.ts";
export {
  type CanonicalFormOptions,
  type HashUriOptions,
  hashUri,
  otherSpelling,
} from "./hash-uri.ts";
export {
  formatHashedUriListHeader,
  type HashedUriListHeader,
  type HashedUriListLine,
  parseHashedUriListLine,
} from "./list.ts";
export {
  hashedUriMatcher,
  type MatchOptions,
  matchesHashedUri,
  type UnusableHashedUri,
} from "./matcher.ts";
export { type HashedUri, parseHashedUri, tryParseHashedUri } from "./parse.ts";
export type { SchemeRule, Variant } from "./scheme-rules.ts";
