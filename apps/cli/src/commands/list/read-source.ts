import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import {
  DEFANGED_URLS,
  type ListSourceError,
  type ListSourceErrorCode,
  type ListSourceOptions,
  PARQUET_FILE,
  readListSource,
  type SourceFormat,
  type SourceSummary,
} from "@x/list-source";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Context } from "../../context.ts";
import { sqlAdvice } from "../../input/foreign-input.ts";
import { nameOf, readPieces } from "../../input/read-file.ts";
import { sizeOf, startProgress } from "../../output/progress.ts";
import type { SourceReport } from "./source-report.ts";

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
  const progress = await startProgress(await sizeOf(file, io), io);
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
      (error as Error).name === "PrefixListError";
    if (!isBad) throw error;
    const name = nameOf(file);
    const advice = hasName<ListSourceError>(error, "ListSourceError") ? adviceFor(error, name) : "";
    throw new Failure(`${name}: ${printable(reasonOf(error))}${advice}`);
  } finally {
    progress.stop();
  }
}
