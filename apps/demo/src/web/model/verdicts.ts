import { type CheckedUrl, type Disguise, VERDICT_LABELS, type VerdictCode } from "@x/explain";

/** The record of an input. `disguises` says how a URL that is on no list is built to mislead people. */
export type JudgedUrl = CheckedUrl & { readonly disguises?: readonly Disguise[] };

/** The result for one line: plain data, which the worker sends to the page. */
export type Row = { readonly line: number } & JudgedUrl;

/**
 * The verdicts on a line, or on a link in a text, the worst first. `"cannot-tell"` is for links that lead to a place
 * that only a service knows, and for texts that may be URLs, but have no verdict.
 */
export const ROW_VERDICTS = [
  "listed",
  "disguised",
  "cannot-tell",
  "not-listed",
  "not-a-url",
] as const;

export type RowVerdict = (typeof ROW_VERDICTS)[number];

export const NO_COUNTS = {
  listed: 0,
  disguised: 0,
  "cannot-tell": 0,
  "not-listed": 0,
  "not-a-url": 0,
} as const;

/** The verdicts in words. */
export const ROW_LABELS: Readonly<Record<RowVerdict, string>> = {
  ...VERDICT_LABELS,
  disguised: "disguised",
  "cannot-tell": "cannot tell",
};

/** The CSS classes for the colours of verdicts. */
export const VERDICT_CLASSES: Readonly<Record<VerdictCode | RowVerdict, string>> = {
  listed: "listed",
  disguised: "suspect",
  "cannot-tell": "doubt",
  "not-listed": "clear",
  "no-list": "none",
  "not-a-url": "error",
};
