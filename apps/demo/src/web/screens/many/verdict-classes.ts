import type { RowVerdict } from "../../model/row.ts";

/** The colours of the verdicts. */
export const VERDICT_CLASSES: Readonly<Record<RowVerdict, string>> = {
  listed: "listed",
  "not-listed": "clear",
  "not-a-url": "error",
};
