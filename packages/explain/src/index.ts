export {
  explainMatch,
  hashedForm,
  type PublishedUri,
  publishedUri,
  unusableReason,
} from "./explain-hashed-uris.ts";
export {
  compareUrns,
  explainUrn,
  URN_PART_LABELS,
  type UrnComparison,
  type UrnExplanation,
  type UrnPartName,
} from "./explain-urns.ts";
export { entryOnLine, inputRecord, inputText, tooLongLine } from "./line-input.ts";
export { foreignRefusal, type InputProblem, type Refusal, refusalOf } from "./refusal.ts";
export { annotateUrl, type UrlPart } from "./url/annotate-url.ts";
export { type CheckedUrl, checkedUrl } from "./url/checked-url.ts";
export { toCsv } from "./url/csv.ts";
export { type Disguise, disguisesOf } from "./url/disguises.ts";
export {
  type ExplainUrlOptions,
  explainUrl,
  type ReadExpression,
  type UrlExplanation,
} from "./url/explain-url.ts";
export type { SiteOptions } from "./url/hosts.ts";
export { hostRemark, shortHost } from "./url/hosts.ts";
export { isDoubtful, oddsText } from "./url/odds.ts";
export { expressionRecord, innerRecord, type MatchRecord, matchRecord } from "./url/records.ts";
export { urlReport } from "./url/url-report.ts";
export {
  type SummaryVerdict,
  type TextKind,
  type UrlSummary,
  urlSummary,
} from "./url/url-summary.ts";
export {
  changeText,
  innerText,
  matchText,
  VERDICT_LABELS,
  type VerdictCode,
  verdictOf,
  verdictOfReading,
  verdictText,
} from "./url/verdict-wording.ts";
