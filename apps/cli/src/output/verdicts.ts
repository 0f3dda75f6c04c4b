import { VERDICT_LABELS } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Colours } from "../context.ts";

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
