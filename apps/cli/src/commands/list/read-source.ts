import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  DEFANGED_URLS,
  type ListSourceError,
  type ListSourceErrorCode,
  type ListSourceOptions,
  type NotApplicable,
  PARQUET_FILE,
  type Refusal,
  readListSource,
  type SourceEntry,
  type SourceFormat,
  type SourceSummary,
  type Warning,
  type WarningCode,
} from "@x/list-source";
import type { PrefixListError } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Context } from "../../context.ts";
import { refangAdvice, sqlAdvice } from "../../input/foreign-input.ts";
import { nameOf, readPieces } from "../../input/read-file.ts";
import { sizeOf, startProgress } from "../../output/progress.ts";

/** The options for reading a source. */
export interface SourceOptions {
  readonly input?: SourceFormat;
  readonly column?: string | number;
  readonly where?: readonly string[];
  readonly allowBroad?: boolean;
  readonly refang?: boolean;
}

/** Reads one source and passes its entries to `onEntry`. @throws {Failure} when it cannot be read. */
export async function readSource(
  report: SourceReport,
  options: SourceOptions,
  context: Context,
  onEntry: ListSourceOptions["onEntry"],
): Promise<SourceSummary> {
  const { onRefusal, onWarning, onNotApplicable } = report;
  const callbacks = { onEntry, onRefusal, onWarning, onNotApplicable };
  const summary = await read(report, { ...(await optionsOf(options)), ...callbacks }, context);
  await context.stderr.write(report.takeRest() + report.summaryText(summary));
  return summary;
}

async function optionsOf({ input, column, where, allowBroad, refang }: SourceOptions) {
  // The Public Suffix List takes a while to load, and most commands do not need it.
  const suffixes = await import("@x/list-source/public-suffixes");
  const { isPublicSuffix, isRegistrySuffix } = suffixes;
  return { format: input, column, where, allowBroad, refang, isPublicSuffix, isRegistrySuffix };
}

const ADVICE: Readonly<Partial<Record<ListSourceErrorCode, string>>> = {
  "column-missing": " (--column)",
  "column-ambiguous": " (--column)",
  "rows-unclear": " (--where)",
  "hash-unclear": " (--input hex)",
};

/** Suggests the option with which a source can be read in spite of an error. */
function adviceFor({ code, found }: ListSourceError, name: string): string {
  if (found === DEFANGED_URLS) return " (--refang turns them back)";
  if (found === PARQUET_FILE) return sqlAdvice(found, name);
  return ADVICE[code] ?? "";
}

async function read(
  report: SourceReport,
  options: ListSourceOptions,
  { io, stderr }: Context,
): Promise<SourceSummary> {
  const { file } = report;
  const progress = startProgress(await sizeOf(file, io), io);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of readPieces(file, io)) {
      yield piece;
      const errors = report.takeText();
      progress.advance({ bytes: piece.length, out: "", errors });
      await stderr.write(errors);
    }
  }
  try {
    return await readListSource(pieces(), options);
  } catch (error) {
    // Either the file is invalid, or it has more entries than a list can hold.
    const isBad =
      hasName<ListSourceError>(error, "ListSourceError") ||
      hasName<PrefixListError>(error, "PrefixListError");
    if (!isBad) throw error;
    const name = nameOf(file);
    const advice = hasName<ListSourceError>(error, "ListSourceError") ? adviceFor(error, name) : "";
    throw new Failure(`${name}: ${printable(reasonOf(error))}${advice}`);
  } finally {
    progress.stop();
  }
}

/** Without `--verbose`, at most this many refused lines of a file and warnings of each kind are shown. */
const MOST_REFUSALS = 50;
const MOST_WARNINGS = 5;
/** Entries as broad as a shared host get more room, because each of them may block the sites of many owners. */
const mostWarnings = (code: WarningCode) =>
  code === "public-suffix" ? MOST_REFUSALS : MOST_WARNINGS;

/** Collects the messages for the user about one source. */
export interface SourceReport {
  readonly file: string;
  readonly onRefusal: (refusal: Refusal) => void;
  readonly onWarning: (warning: Warning) => void;
  readonly onNotApplicable: (part: NotApplicable) => void;
  /** Called with each entry that is left out, and the host because of which it is. */
  readonly onLeftOut: (entry: SourceEntry, host: string) => void;
  /** Returns the lines for stderr that were added since the last call. */
  readonly takeText: () => string;
  /** Returns the last lines about one file, with the numbers of messages that were not shown. */
  readonly takeRest: () => string;
  /**
   * Returns the line with the format of the source and the number of parts that do not apply. The format is left out if
   * the user named it or it is `urls`.
   */
  readonly summaryText: (summary: SourceSummary) => string;
  /** Returns the report as a record for programs. */
  readonly toRecord: () => object;
}

interface ReportOptions {
  /** Whether to show all refused lines, all warnings, and all parts that do not apply. */
  readonly verbose: boolean;
  /** Whether the report is a record for programs instead of lines. */
  readonly json: boolean;
  /** Whether the user named the format, so that there is no need to report it. */
  readonly isNamed: boolean;
}

const SHOW_ALL = "(--verbose shows all)";

export function sourceReport(file: string, options: ReportOptions): SourceReport {
  const { verbose, json } = options;
  const name = nameOf(file);
  const refusals: Refusal[] = [];
  const warnings: Warning[] = [];
  const notApplicable: NotApplicable[] = [];
  const leftOut: object[] = [];
  let text = "";
  let summary: SourceSummary | null = null;
  /** The numbers of refusals, of entries that are left out, and of warnings of each kind, shown or not. */
  let refused = 0;
  let without = 0;
  const counts = new Map<WarningCode, number>();
  const say = (line: string): void => {
    text += `urlhash: ${line}\n`;
  };
  const takeText = (): string => {
    const taken = text;
    text = "";
    return taken;
  };

  return {
    file,
    onRefusal(refusal) {
      if (++refused > MOST_REFUSALS && !verbose) return;
      if (json) refusals.push(refusal);
      else say(`${name} line ${refusal.line}: ${refusalText(refusal)}`);
    },
    onWarning(warning) {
      const count = (counts.get(warning.code) ?? 0) + 1;
      counts.set(warning.code, count);
      if (count > mostWarnings(warning.code) && !verbose) return;
      if (json) warnings.push(warning);
      else say(`warning: ${name} line ${warning.line}: ${warning.message} (${warning.code})`);
    },
    onNotApplicable(part) {
      if (!verbose) return;
      if (json) notApplicable.push(part);
      else say(`${name} line ${part.line}: "${printable(part.text)}" does not apply`);
    },
    onLeftOut({ line, expression }, host) {
      if (++without > MOST_REFUSALS && !verbose) return;
      const what = expression ?? "the hash";
      if (json) leftOut.push({ line, expression, host });
      else say(`${name} line ${line}: ${what} is left out, because ${host} is never blocked`);
    },
    takeText,
    takeRest() {
      const more = counted(without - MOST_REFUSALS, "more entry is", "more entries are");
      if (without > MOST_REFUSALS && !verbose && !json)
        say(`${name}: ${more} left out ${SHOW_ALL}`);
      if (!verbose && !json) for (const line of hiddenLines(name, refused, counts)) say(line);
      without = 0;
      refused = 0;
      counts.clear();
      return takeText();
    },
    summaryText(found) {
      summary = found;
      const lines = [summaryLine(name, found, options), ...leftOutLines(name, found, verbose)];
      for (const line of lines) if (line !== null && !json) say(line);
      return takeText();
    },
    toRecord() {
      const details = { refusals, warnings, leftOut, ...(verbose ? { notApplicable } : {}) };
      return { file, ...summary, details };
    },
  };
}

/** Returns lines with the numbers of messages that were not shown. */
function hiddenLines(
  name: string,
  refused: number,
  counts: ReadonlyMap<WarningCode, number>,
): string[] {
  const hidden = counted(refused - MOST_REFUSALS, "more bad entry", "more bad entries");
  const lines = refused > MOST_REFUSALS ? [`${name}: ${hidden} ${SHOW_ALL}`] : [];
  for (const [code, count] of counts) {
    const more = (count - mostWarnings(code)).toLocaleString("en");
    if (count > mostWarnings(code))
      lines.push(`warning: ${name}: ${more} more of ${code} ${SHOW_ALL}`);
  }
  return lines;
}

/** Without `--verbose`, at most this many values of the rows that `--where` leaves out are shown. */
const MOST_VALUES = 10;

/** Returns a line for each value with which `--where` leaves out rows. */
function leftOutLines(name: string, { rowsLeftOut }: SourceSummary, verbose: boolean): string[] {
  const shown = verbose ? rowsLeftOut : rowsLeftOut.slice(0, MOST_VALUES);
  const lines = shown.map(({ column, value, rows }) => {
    const what = `with "${printable(column)}" of "${printable(value)}"`;
    return `${name}: ${counted(rows, "row", "rows")} ${what} ${rows === 1 ? "was" : "were"} left out`;
  });
  const more = rowsLeftOut.length - shown.length;
  if (more > 0)
    lines.push(
      `${name}: rows with ${counted(more, "other value", "other values")} were left out ${SHOW_ALL}`,
    );
  return lines;
}

function summaryLine(
  name: string,
  { recognition, column, notApplicable }: SourceSummary,
  { verbose, isNamed }: ReportOptions,
): string | null {
  const parts = counted(notApplicable, "part does", "parts do");
  const other = `${parts} not apply${verbose ? "" : ` ${SHOW_ALL}`}`;
  if (isNamed || recognition.format === "urls") {
    return notApplicable > 0 ? `${name}: ${other}` : null;
  }
  const kind = recognition.format.startsWith("json") ? "field" : "column";
  const from = column === null ? "" : `, ${kind} ${printable(column)}`;
  const read = `${name} is read as ${recognition.found} (${recognition.evidence}${from})`;
  return notApplicable === 0 ? read : `${read}; ${other}`;
}

function adviceOn({ code, text }: Refusal): string {
  if (code === "public-suffix") return " (--allow-broad accepts it)";
  return code === "defanged" ? ` ${refangAdvice(text)}` : "";
}

function refusalText(refusal: Refusal): string {
  return `"${printable(refusal.text)}": expected ${refusal.expected}${adviceOn(refusal)}`;
}
