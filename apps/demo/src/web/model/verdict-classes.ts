import type { VerdictCode } from "@x/explain";

/** The classes that give verdicts their colours. */
export const VERDICT_CLASSES: Readonly<Record<VerdictCode, string>> = {
  listed: "listed",
  "not-listed": "clear",
  "no-list": "none",
  "not-a-url": "error",
};
