import type { Disguise, Refusal } from "@x/explain";
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

/** The row of a URL that is on no list, but built to mislead. */
export function disguisedRow(canonical: string, disguises: readonly Disguise[]): Row {
  const codes = disguises.map(({ code }) => code).join(",");
  return ["disguised", canonical, "", "", "", "", "", codes];
}

/** The row of a blank line, or of an input that is refused. */
export function rowWithoutVerdict(refusal: Refusal | null): Row {
  if (refusal === null) return ["blank", "", "", "", "", "", "", ""];
  const { code } = refusal.error;
  return [code === "host-undecided" ? "undecided" : "not-a-url", "", "", "", "", "", "", code];
}
