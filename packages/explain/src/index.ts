export { explainMatch, type HashedUriMatch } from "./hashed-uri/explain-match.ts";
export { type PublishedUri, publishedUri } from "./hashed-uri/published-uri.ts";
export { unusableReason } from "./hashed-uri/unusable-reason.ts";
export { type InputRecord, inputRecord, inputText, tooLongLine } from "./input.ts";
export { entryOnLine, readListEntry } from "./list-entry.ts";
export { type InputProblem, type Refusal, refusalOf } from "./refusal.ts";
export { type CheckedUrl, checkedUrl, type UrlCheck } from "./url/checked-url.ts";
export {
  type ExplainUrlOptions,
  explainUrl,
  type ListSummary,
  type UrlExplanation,
} from "./url/explain-url.ts";
export {
  type ExpressionRecord,
  expressionRecord,
  type MatchRecord,
  matchRecord,
} from "./url/records.ts";
export {
  matchText,
  VERDICT_LABELS,
  type Verdict,
  type VerdictText,
  verdictOf,
  verdictText,
} from "./url/verdict-wording.ts";
export { compareUrns, type UrnComparison, type UrnReading } from "./urn/compare-urns.ts";
export {
  explainUrn,
  URN_PART_LABELS,
  type UrnExplanation,
  type UrnPartName,
  type UrnSpan,
} from "./urn/explain-urn.ts";
