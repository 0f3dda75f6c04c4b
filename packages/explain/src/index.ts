export { explainMatch, type HashedUriMatch, unusableReason } from "./hashed-uri/explain-match.ts";
export { hashedForm, type PublishedUri, publishedUri } from "./hashed-uri/published-uri.ts";
export { type InputRecord, inputRecord, inputText, tooLongLine } from "./input.ts";
export { entryOnLine } from "./list-entry.ts";
export { type InputProblem, type Refusal, refusalOf } from "./refusal.ts";
export type {
  BrowserReading,
  ReadingDifference,
  ReadingDifferenceCode,
} from "./url/browser-reading.ts";
export { type CheckedUrl, checkedUrl, type UrlCheck } from "./url/checked-url.ts";
export { toCsv } from "./url/csv.ts";
export {
  type ExplainedMatch,
  type ExplainUrlOptions,
  explainUrl,
  type ListSummary,
  type ReadExpression,
  type UrlExplanation,
} from "./url/explain-url.ts";
export { oddsText } from "./url/odds.ts";
export {
  type ExpressionRecord,
  expressionRecord,
  type MatchRecord,
  matchRecord,
} from "./url/records.ts";
export {
  changeText,
  matchText,
  VERDICT_LABELS,
  type VerdictCode,
  type VerdictText,
  verdictOf,
  verdictOfReading,
  verdictText,
} from "./url/verdict-wording.ts";
export { type ComparedUrn, compareUrns, type UrnComparison } from "./urn/compare-urns.ts";
export {
  explainUrn,
  URN_PART_LABELS,
  type UrnExplanation,
  type UrnPartName,
  type UrnSpan,
} from "./urn/explain-urn.ts";
