import { formatDuration } from "@x/command-line";
import { counted, formatCount } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Manifest, Published } from "@x/list-store";
import type { ListContents } from "../../publish/read-list.ts";
import type { SourceOptions, SourceReport } from "../../publish/read-sources.ts";
import { threatRow } from "../../serve/lists/threat-rows.ts";
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
  const { source, summary, refused, refusals, warned, warnings, problem } = report;
  const say = (text: string) => complain(printable(`${source}${text}`));
  for (const { line, message } of refusals) say(`:${line}: ${message}`);
  if (refused > refusals.length)
    say(`: ${counted(refused - refusals.length, "more line", "more lines")} refused`);
  for (const { line, message } of warnings) say(`:${line}: warning: ${message}`);
  if (warned > warnings.length)
    say(`: ${counted(warned - warnings.length, "more warning", "more warnings")}`);
  if (summary !== null && summary.notApplicable > 0) {
    const { recognition, notApplicable } = summary;
    const parts = counted(notApplicable, "part", "parts");
    say(`: read as ${recognition?.found ?? "an empty file"}; ${parts} of it did not apply`);
  }
  for (const [i, { column, value, rows }] of (summary?.rowsLeftOut ?? []).entries()) {
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
  { source, summary }: SourceReport,
  { format, column }: Pick<SourceOptions, "format" | "column">,
): string | null {
  const { recognition = null, column: read = null } = summary ?? {};
  if (recognition === null || recognition.format === "urls") return null;
  const isNamed = format !== undefined && (read === null || column !== undefined);
  if (isNamed) return null;
  const kind = recognition.format.startsWith("json") ? "field" : "column";
  const from = read === null ? "" : `, ${kind} ${read}`;
  return `${source} is read as ${recognition.found} (${recognition.evidence}${from})`;
}

export function describePublished(
  { outcome, manifest }: Published,
  { isDryRun = false } = {},
): string {
  const { list, version, contents, change } = manifest;
  const entries = counted(contents.fullHashes, "entry", "entries");
  const would = isDryRun ? "would be " : "";
  if (outcome === "unchanged") return `${list}: unchanged at version ${version}, ${entries}`;
  if (outcome === "renewed")
    return `${list}: ${would}signed again as version ${version}, ${entries}`;
  return `${list}: ${would}version ${version}, ${entries}: ${formatCount(change!.addedEntries)} added, ${formatCount(change!.removedEntries)} removed`;
}

/** Says until when no new version is made, because the newest one is younger than `minInterval` (in milliseconds). */
export function describeWait({ list, version, issued }: Manifest, minInterval: number): string {
  const next = new Date(issued + minInterval).toISOString().slice(0, 19);
  return `${list}: version ${version} is younger than ${formatDuration(minInterval)} (min-interval): there is no new one before ${next}Z`;
}

/** Says that a list was withdrawn or rolled back, and therefore does not follow its sources. */
export function describeHold({ manifest }: Published): string {
  const { list, version, withdrawn, restores } = manifest;
  const why = withdrawn ? "the list was withdrawn" : `it was rolled back to version ${restores}`;
  return `${list}: version ${version} stays in use, because ${why}, although its sources have other entries; when the sources are good again, publish once with --resume`;
}

/** Says under which name the clients of each protocol know a list. */
export function describeNames(list: string): string {
  const { v5, v4, webRisk } = threatRow(list);
  const protocols = { v5, v4: v4.join(" or "), "Web Risk": webRisk };
  const known = Object.entries(protocols).filter(([, name]) => name);
  const others = Object.entries(protocols).filter(([, name]) => !name);
  const names = known.map(([protocol, name]) => `${name} (${protocol})`).join(", ");
  const without = others.map(([protocol]) => protocol).join(" or ");
  return `${list}: clients know it as ${names}${without && `; it has no name in ${without}`}`;
}

/** How many exceptions are named before the rest are only counted. */
const NAMED = 10;

/** Says which exceptions left out entries of a list, and which excepted URLs other entries still block. */
export function describeExceptions(
  list: string,
  { leftOut, stillBlocked }: Pick<ListContents, "leftOut" | "stillBlocked">,
): string[] {
  const lines = leftOut.map(
    ({ expression, where }) => `${list}: ${expression} was left out (${where})`,
  );
  const more = lines.splice(NAMED).length;
  if (more > 0)
    lines.push(`${list}: ${counted(more, "more exception", "more exceptions")} left out`);
  const blocked = stillBlocked.map(
    ({ exception, by, of }) =>
      `${list}: warning: ${exception.expression} is an exception (${exception.where}), but ${by}${of.length === 0 ? "" : ` of ${of.join(", ")}`} still blocks it`,
  );
  const others = blocked.splice(NAMED).length;
  if (others > 0) {
    blocked.push(`${list}: ${counted(others, "more exception", "more exceptions")} still blocked`);
  }
  return [...lines, ...blocked];
}
