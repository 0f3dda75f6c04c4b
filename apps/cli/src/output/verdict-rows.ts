import type { Refusal } from "@x/explain";
import type { Row } from "./rows.ts";

/** The columns of `check --tsv`. */
export const VERDICT_COLUMNS = [
  "verdict",
  "canonical",
  "list",
  "expression",
  "prefix",
  "certainty",
  "reading",
  "problem",
] as const;

/** The row of a blank line, or of an input that is refused. */
export function rowWithoutVerdict(refusal: Refusal | null): Row {
  if (refusal === null) return ["blank", "", "", "", "", "", "", ""];
  const { code } = refusal.error;
  return [code === "host-undecided" ? "undecided" : "not-a-url", "", "", "", "", "", "", code];
}
