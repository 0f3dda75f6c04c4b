import { type Disguise, VERDICT_LABELS } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Colours } from "../context.ts";
import type { Row } from "./format.ts";
import type { RowWithout } from "./results.ts";

/** The reason why a URL that contains more URLs than are opened has no verdict. */
export const MAY_HAVE_MORE = "it may have more URLs inside";

const COLUMNS = VERDICT_LABELS["not-listed"].length;

/** Formats a verdict for people: a line with its label and the printable input, and one line for each reason. */
type VerdictLines = (
  verdict: "listed" | "not-listed" | "unsure" | "disguised",
  shown: string,
  reasons: readonly string[],
) => string;

export function verdictLines({ red, bold, gray, yellow, dim }: Colours): VerdictLines {
  const labels = {
    listed: red(bold(VERDICT_LABELS.listed.toUpperCase().padEnd(COLUMNS))),
    "not-listed": gray(VERDICT_LABELS["not-listed"]),
    unsure: yellow("unsure".padEnd(COLUMNS)),
    disguised: yellow("disguised".padEnd(COLUMNS)),
  };
  const indent = " ".repeat(COLUMNS + 2);
  return (verdict, shown, reasons) =>
    [`${labels[verdict]}  ${shown}`, ...reasons.map((each) => indent + dim(printable(each)))].join(
      "\n",
    );
}

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
