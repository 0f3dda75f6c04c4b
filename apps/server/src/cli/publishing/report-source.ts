import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { SourceOptions, SourceReport } from "../../publish/read-sources.ts";
import type { Context } from "../context.ts";

/** Whether a list may be made from a source. */
export function isAccepted({ problem, refused }: SourceReport, skipBad: boolean): boolean {
  return problem === null && (refused === 0 || skipBad);
}

/** Reports the result of reading a source, and returns whether a list may be made from it. */
export function reportSource(
  report: SourceReport,
  skipBad: boolean,
  { complain }: Pick<Context, "complain">,
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
  if (problem !== null) say(`: ${problem}`);
  else if (refused > 0 && !skipBad) say(": correct the refused lines, or use --skip-bad");
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
