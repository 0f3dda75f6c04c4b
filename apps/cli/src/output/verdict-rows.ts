import type { Disguise } from "@x/explain";
import type { RowWithout } from "./results.ts";
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

/** The columns of `check --tsv --follow`. */
export const FOLLOWED_COLUMNS: readonly string[] = [...VERDICT_COLUMNS, "chain"];

/** Makes the row of a URL that is on no list, but is built to mislead. */
export function disguisedRow(canonical: string, disguises: readonly Disguise[]): Row {
  const codes = disguises.map(({ code }) => code).join(",");
  return ["disguised", canonical, "", "", "", "", "", codes];
}

/**
 * Returns a function that makes the row of a blank line or of a refused input.
 *
 * @param hasChain whether there is a column for chains.
 */
export function rowWithoutVerdict(hasChain: boolean): RowWithout {
  const chain = hasChain ? [""] : [];
  return (refusal) => {
    if (refusal === null) return ["blank", "", "", "", "", "", "", "", ...chain];
    const { code } = refusal.error;
    const word = code === "host-undecided" ? "undecided" : "not-a-url";
    return [word, "", "", "", "", "", "", code, ...chain];
  };
}
