export {
  explainMatch,
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
export {
  entryOnLine,
  foreignRefusal,
  type InputProblem,
  inputRecord,
  inputText,
  type Refusal,
  refusalOf,
  tooLongLine,
} from "./input.ts";
export { annotateUrl, domainSpan, type UrlPart } from "./url/annotate-url.ts";
export { type Disguise, disguisesOf } from "./url/disguises.ts";
export {
  type ExplainUrlOptions,
  explainUrl,
  type ReadExpression,
  type UrlExplanation,
} from "./url/explain-url.ts";
export type { SiteOptions } from "./url/hosts.ts";
export { hidesSite, hostInSentence, hostRemark, shortHost, unseenSite } from "./url/hosts.ts";
export { UNEXPECTED } from "./url/non-links.ts";
export {
  type CheckedUrl,
  checkedUrl,
  expressionRecord,
  innerRecord,
  type MatchRecord,
  matchRecord,
} from "./url/records.ts";
export { toCsv, urlReport } from "./url/reports.ts";
export {
  DISGUISED,
  type TextKind,
  type UrlSummary,
  urlSummary,
} from "./url/url-summary.ts";
export {
  changeText,
  innerText,
  isDoubtful,
  matchText,
  oddsText,
  VERDICT_LABELS,
  type VerdictCode,
  verdictOf,
  verdictText,
} from "./url/verdict-wording.ts";
