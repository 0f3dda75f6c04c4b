import type { SummaryVerdict, VerdictCode } from "@x/explain";
import type { RowVerdict } from "./row.ts";

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
