import {
  type CheckedUrl,
  type Disguise,
  type SummaryVerdict,
  VERDICT_LABELS,
  type VerdictCode,
} from "@x/explain";

/** The record of an input. `disguises` says how a URL that is on no list is built to mislead people. */
export type JudgedUrl = CheckedUrl & { readonly disguises?: readonly Disguise[] };

/** The result for one line: plain data, which the worker sends to the page. */
export type Row = { readonly line: number } & JudgedUrl;

/** The verdicts on a line, or on a link in a text, the worst first. */
export const ROW_VERDICTS = ["listed", "disguised", "not-listed", "not-a-url"] as const;

export type RowVerdict = (typeof ROW_VERDICTS)[number];

export const NO_COUNTS = { listed: 0, disguised: 0, "not-listed": 0, "not-a-url": 0 } as const;

/** The verdicts in words. */
export const ROW_LABELS: Readonly<Record<RowVerdict, string>> = {
  ...VERDICT_LABELS,
  disguised: "disguised",
};

/** The CSS classes for the colours of verdicts. */
export const VERDICT_CLASSES: Readonly<Record<VerdictCode | RowVerdict, string>> = {
  listed: "listed",
  disguised: "suspect",
  "not-listed": "clear",
  "no-list": "none",
  "not-a-url": "error",
};

export const SUMMARY_CLASSES: Readonly<Record<SummaryVerdict, string>> = {
  listed: "listed",
  "not-listed": "clear",
  "cannot-tell": "doubt",
  "not-a-url": "error",
};
