import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { SourceOptions, SourceReport } from "../../publish/read-sources.ts";
import type { Context } from "../context.ts";

/** Whether a list may be made from a source. */
export function isAccepted({ problem, refused }: SourceReport, skipBad: boolean): boolean {
  return problem === null && (refused === 0 || skipBad);
}

/** At most this many values of rows that were left out are shown, besides those that are new. */
const MOST_VALUES = 10;

/**
 * Reports the result of reading a source, and returns whether a list may be made from it.
 *
 * @param before the messages about the sources of the last version, if they are known.
 */
export function reportSource(
  report: SourceReport,
  skipBad: boolean,
  { complain }: Pick<Context, "complain">,
  before: readonly string[] | null = null,
): boolean {
  const { source, refused, refusals, warned, warnings, notApplicable, found, problem } = report;
  const say = (text: string) => complain(printable(`${source}${text}`));
  for (const { line, message } of refusals) say(`:${line}: ${message}`);
  if (refused > refusals.length)
    say(`: ${counted(refused - refusals.length, "more line", "more lines")} refused`);
  for (const { line, message } of warnings) say(`:${line}: warning: ${message}`);
  if (warned > warnings.length)
    say(`: ${counted(warned - warnings.length, "more warning", "more warnings")}`);
  if (notApplicable > 0) {
    say(`: read as ${found}; ${counted(notApplicable, "part", "parts")} of it did not apply`);
  }
  for (const [i, { column, value, rows }] of report.rowsLeftOut.entries()) {
    const what = `with ${JSON.stringify(column)} of ${JSON.stringify(value)}`;
    const isNew = before !== null && !before.some((line) => line.includes(printable(what)));
    const were = rows === 1 ? "was" : "were";
    if (i >= MOST_VALUES && !isNew) continue;
    say(
      `: ${counted(rows, "row", "rows")} ${what} ${were} left out${isNew ? "; this value is new" : ""}`,
    );
  }
  if (problem !== null) say(`: ${problem}`);
  else if (refused > 0 && !skipBad) say(": correct the refused lines, or use --set skip-bad=true");
  return isAccepted(report, skipBad);
}

/**
 * Describes how a source was read. Returns `null` if the source has one URL per line, or if the options name its format
 * and column.
 */
export function describeReading(
  { source, reading }: SourceReport,
  { format, column }: Pick<SourceOptions, "format" | "column">,
): string | null {
  if (reading === null || reading.format === "urls") return null;
  const isNamed = format !== undefined && (reading.column === null || column !== undefined);
  if (isNamed) return null;
  const kind = reading.format.startsWith("json") ? "field" : "column";
  const from = reading.column === null ? "" : `, ${kind} ${reading.column}`;
  return `${source} is read as ${reading.found} (${reading.evidence}${from})`;
}
