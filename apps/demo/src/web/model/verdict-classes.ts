import type { VerdictCode } from "@x/explain";

/** The CSS classes for the colours of verdicts. */
export const VERDICT_CLASSES: Readonly<Record<VerdictCode, string>> = {
  listed: "listed",
  "not-listed": "clear",
  "no-list": "none",
  "not-a-url": "error",
};
