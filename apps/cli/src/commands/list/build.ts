import { basename, extname } from "node:path";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  ListSourceError,
  type ListSourceOptions,
  readListSource,
  SOURCE_FORMATS,
  type SourceFormat,
  type SourceSummary,
  sourceProblem,
} from "@x/list-source";
import {
  encodePrefixList,
  type PrefixList,
  type PrefixListBuilder,
  prefixListBuilder,
} from "@x/prefix-list";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Context } from "../../context.ts";
import { REFUSED } from "../../exit-status.ts";
import { Failure, reasonOf } from "../../failure.ts";
import { readPublicSuffixes } from "../../input/public-suffixes.ts";
import { nameOf, readPieces } from "../../input/read-file.ts";
import { type Progress, sizeOf, startProgress } from "../../output/progress.ts";
import { OUTPUT_HELP, openOutput } from "../../output/write-output.ts";
import { wholeNumber } from "../options.ts";
import { sourceReport } from "./source-report.ts";

interface BuildOptions {
  readonly output: string;
  readonly bytes: number;
  readonly name?: string;
  readonly input?: SourceFormat;
  readonly column?: string | number;
  readonly skipBad?: boolean;
  readonly maxRefused?: number;
  readonly allowEmpty?: boolean;
  readonly lint?: boolean;
  readonly publicSuffixes?: string;
}

const HELP = `
The FILEs (default: stdin) may hold URLs, hosts or expressions, one per line;
hosts files; dnsmasq and RPZ lines; Adblock filters; CSV or JSON lines with a
column of URLs; hashes in hexadecimal or base64; or another list. --input names
the format where it is not recognized.

An entry is canonicalized and stands for its exact host, path and query.
evil.example is evil.example/, which lists what is on that host and on the hosts
below it, as far as expressions reach: a host with five labels or more lists no
host below it, and a folder that is four deep or deeper lists nothing in it.

A bad entry is reported with its line, and no list is written. --skip-bad leaves
bad entries out. If more than a tenth is bad, the file was most likely read in
the wrong format, and only --max-refused writes a list of the rest. Odd entries
get a warning: those as broad as a public suffix (with --public-suffixes), too
deep, with a part that is dropped, or (with --lint) covered by another entry.

How to choose --bytes:
  4   for a list whose matches a server confirms, as in Safe Browsing
  8   for a list that stands alone: no harmless URL is listed by chance. Someone
      who has the list and guesses an entry can be certain of it
  32  for full hashes that you will publish: matches are confirmed
${OUTPUT_HELP}

Exit status: 0 written, 2 not written, 4 written without the bad entries.

Examples:
  $ urlhash list build hosts.txt -o hosts.list
  $ urlhash list build --column url --skip-bad feed.csv -o feed.list
  $ curl -s https://lists.example/hosts | urlhash list build -o hosts.list`;

const MAX_PERCENT = 100;

/** A column by its name or number. */
function columnOf(text: string): string | number {
  if (text === "") throw new InvalidArgumentError("Expected the name or number of a column.");
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : text;
}

export function registerListBuild(list: Command, context: Context): void {
  list
    .command("build")
    .description("Make a list of hash prefixes from URLs, hosts, filters, tables or hashes.")
    .argument("[file...]", 'files of entries; "-" is stdin')
    .requiredOption("-o, --output <list>", 'the file to write; "-" is stdout')
    .option("--bytes <n>", "length of each hash prefix in bytes, 4 to 32", wholeNumber(4, 32), 8)
    .option("--name <name>", "the list's name in verdicts (default: the file's name)")
    .addOption(
      new Option(
        "--input <format>",
        "the format of the files (default: recognized by their content)",
      ).choices(SOURCE_FORMATS),
    )
    .option("--column <column>", "the column of a table, or the field of JSON lines", columnOf)
    .option("--skip-bad", "leave out bad entries")
    .option(
      "--max-refused <percent>",
      "the percentage of entries in a file that may be bad (default: 10)",
      wholeNumber(0, MAX_PERCENT),
    )
    .option("--allow-empty", "write the list even if it has no entries")
    .option("--lint", "read the files again, and warn about entries that others cover")
    .option(
      "--public-suffixes <file>",
      "the Public Suffix List, to warn about entries that cover a public suffix",
    )
    .addHelpText("after", HELP)
    .action(async (files: string[], options: BuildOptions) => {
      await build(files.length === 0 ? ["-"] : files, options, context);
    });
}

async function build(
  files: readonly string[],
  options: BuildOptions,
  context: Context,
): Promise<void> {
  const { io, stderr, addStatus } = context;
  const { output, bytes, name, skipBad, lint, publicSuffixes } = options;
  if (lint && files.includes("-")) throw new Failure("--lint reads twice: stdin cannot be");
  const isPublicSuffix =
    publicSuffixes === undefined ? undefined : await readPublicSuffixes(publicSuffixes, io);
  const file = await openOutput(output, files, context);
  const builder = prefixListBuilder();
  let bad = 0;
  for (const source of files) {
    if (source === "-" && io.stdin.isTTY) {
      await stderr.write("urlhash: reading entries from the terminal; Ctrl-D ends\n");
    }
    const summary = await readSource(source, { ...options, isPublicSuffix }, context, (hash) =>
      builder.add(hash.length > bytes ? hash.subarray(0, bytes) : hash),
    );
    refuseProblem(source, summary, options);
    bad += summary.refused;
  }
  const badEntries = counted(bad, "bad entry", "bad entries");
  if (bad > 0 && !skipBad && options.maxRefused === undefined) {
    throw new Failure(`${badEntries}: ${file.name} is not written (--skip-bad leaves them out)`);
  }
  const entries = counted(builder.count, "entry", "entries");
  const built = listOf(builder, name ?? (output === "-" ? "stdin" : nameFor(output)));
  if (lint) await lintSources(files, options, built, context);
  await file.write(encodePrefixList(built));
  if (bad > 0) addStatus(REFUSED);
  // There may be fewer prefixes than entries: some entries are the same, or begin with the same bytes.
  const prefixes = `${counted(built.size, "prefix", "prefixes")} ${lengthsOf(built, bytes)}`;
  const without = bad > 0 ? `, without ${badEntries}` : "";
  await file.tell(`${file.name}: ${prefixes} from ${entries}${without}\n`);
}

/** The name of a list by its file. */
function nameFor(output: string): string {
  return basename(output, extname(output));
}

function lengthsOf({ lengths }: PrefixList, bytes: number): string {
  const all = lengths.map(({ prefixBytes }) => prefixBytes);
  return `of ${all.length === 0 ? bytes : all.join(" and ")} bytes`;
}

type ReadOptions = Pick<BuildOptions, "input" | "column"> &
  Pick<ListSourceOptions, "isPublicSuffix" | "coveredBy">;

/** Reads one file, and reports what is wrong with it. @throws {Failure} when it cannot be read. */
async function readSource(
  source: string,
  { input, column, isPublicSuffix, coveredBy }: ReadOptions,
  { io, stderr }: Context,
  onHash: (hash: Uint8Array) => void,
): Promise<SourceSummary> {
  const report = sourceReport(source, input !== undefined);
  const progress = await startProgress(await sizeOf(source, io), io);
  try {
    const summary = await readListSource(counting(readPieces(source, io), progress), {
      format: input,
      column,
      isPublicSuffix,
      coveredBy,
      onEntry: ({ hash }) => onHash(hash),
      onRefusal: report.refuse,
      onWarning: report.warn,
    });
    progress.stop();
    await stderr.write(report.toText(summary));
    return summary;
  } catch (error) {
    return failReading(source, error);
  } finally {
    progress.stop();
  }
}

/** @throws {Failure} when the file is to blame, or there is more than a list can hold. */
function failReading(source: string, error: unknown): never {
  const isBad = error instanceof ListSourceError || (error as Error).name === "PrefixListError";
  throw isBad ? new Failure(`${nameOf(source)}: ${printable(reasonOf(error))}`) : error;
}

async function* counting(
  pieces: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    progress.advance({ bytes: piece.length, out: "", errors: "" });
    yield piece;
  }
}

/** @throws {Failure} when no list should be made of a file. */
function refuseProblem(
  source: string,
  summary: SourceSummary,
  { maxRefused, allowEmpty }: BuildOptions,
): void {
  const maxRefusedShare = maxRefused === undefined ? undefined : maxRefused / MAX_PERCENT;
  const problem = sourceProblem(summary, { maxRefusedShare, allowEmpty });
  if (problem === null) return;
  const advice =
    problem.code === "no-entries"
      ? "--allow-empty writes an empty list"
      : "--input names the format, and --max-refused accepts more";
  throw new Failure(`${nameOf(source)}: ${problem.message} (${advice})`);
}

/** Warns of entries that others cover. Everything else was said when the files were read first. */
async function lintSources(
  files: readonly string[],
  { input, column }: BuildOptions,
  coveredBy: PrefixList,
  { io, stderr }: Context,
): Promise<void> {
  for (const source of files) {
    const report = sourceReport(source, true);
    const summary = await readListSource(readPieces(source, io), {
      format: input,
      column,
      coveredBy,
      onEntry: () => {},
      onWarning: (warning) => {
        if (warning.code === "covered") report.warn(warning);
      },
    }).catch((error: unknown) => failReading(source, error));
    await stderr.write(report.toText({ ...summary, notApplicable: 0 }));
  }
}

/** @throws {Failure} when the name is not valid. */
function listOf(builder: PrefixListBuilder, name: string): PrefixList {
  try {
    return builder.build({ name });
  } catch (error) {
    // Only the name comes from outside.
    if (error instanceof RangeError) throw new Failure(reasonOf(error));
    throw error;
  }
}
