import { basename, extname } from "node:path";
import { Failure, wholeNumber } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import {
  entriesOfHost,
  readListSource,
  SOURCE_FORMATS,
  type SourceSummary,
  sourceProblem,
} from "@x/list-source";
import {
  encodePrefixList,
  type PrefixList,
  type PrefixListBuilder,
  prefixListBuilder,
} from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { type Command, Option } from "commander";
import type { Context } from "../../context.ts";
import { REFUSED } from "../../exit-status.ts";
import { nameOf, readPieces } from "../../input/read-file.ts";
import { collectWhere, columnOf } from "../../input/tables.ts";
import { addJsonOption } from "../../output/format.ts";
import {
  checkJsonOutput,
  OUTPUT_HELP,
  type OutputFile,
  openOutput,
} from "../../output/write-output.ts";
import { readSource, type SourceOptions, type SourceReport, sourceReport } from "./read-source.ts";

interface BuildOptions extends SourceOptions {
  readonly output: string;
  readonly bytes: number;
  readonly name?: string;
  readonly skipBad?: boolean;
  readonly maxRefused?: number;
  readonly allowEmpty?: boolean;
  readonly neverBlock?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

const HELP = `
FILEs (default: stdin) may contain URLs, hosts or expressions, one per line;
hosts files; options of dnsmasq and unbound; RPZ lines; Adblock filters; CSV,
JSON lines or a JSON document; hashes in hexadecimal; or another list. --input
names the format where it is not recognized.

--column says which column of a table has the entries. For JSON, it may be a
path: "data[].url" is the field "url" of each record in "data". Some rows of a
table may be about sites that are harmless. If columns tell rows apart, --where
says which rows are entries. Without a column or condition that it needs, a file
is refused, and the message shows the columns and their values. Published
layouts, such as that of URLhaus, are known, and need no option.

An entry is canonicalized and stands for its exact host, path and query.
evil.example becomes evil.example/, which lists everything on that host and on
the hosts below it, as far as expressions reach: a host with more than five
labels lists no host below it, and a folder more than three deep lists nothing
in it.

A bad entry is reported with its line, and no list is written. --skip-bad leaves
bad entries out. If more than a tenth is bad, the file was most likely read in
the wrong format, and only --max-refused writes a list of the rest. A suffix of
a registry, such as com or co.uk, is a bad entry without --allow-broad, and a
defanged URL, such as hxxps://evil[.]example/, is one without --refang. Odd
entries get a warning: hosts that many people share, such as github.io, entries
that are too deep, or have a part that is dropped. The first warnings of each
kind and the first bad entries are shown, and the others with --verbose, as is
each part of a file that does not apply, such as a cosmetic rule.

--never-block names a file of hosts, one per line, such as your own sites or
popular ones. Entries for them and for the hosts above them are left out and
reported; entries for pages on them and for hosts below them are not.

JSON: { "written": true, "problem": null, "list": { "file", "name", "prefixes",
"lengths": [{ "prefixBytes", "count" }], "checksum" }, "entries", "refused",
"sources": [{ "file", "recognition": { "format", "found", "evidence" },
"column", "rowsLeftOut": [{ "column", "value", "rows" }], "bytes", "lines",
"entries", "refused", "notApplicable", "warnings",
"details": { "refusals": [{ "line", "lines", "code", "text", "expected" }],
"warnings": [{ "line", "code", "expression" }],
"leftOut": [{ "line", "expression", "host" }] } }] };
with --verbose, "details" has "notApplicable": [{ "line", "text" }], too. If the
list is not written, "problem" says why, and "list" is null.

How to choose --bytes:
  4   for a list whose matches a server confirms, as in Safe Browsing
  8   for a list that no server confirms: no harmless URL is listed by chance.
      Anyone who has the list can confirm a guess with certainty
  32  for full hashes that you will publish: matches are confirmed
${OUTPUT_HELP}

Exit status: 0 written, 2 not written, 4 written without the bad entries.

Examples:
  $ urlhash list build hosts.txt -o hosts.list
  $ urlhash list build --column url --skip-bad feed.csv -o feed.list
  $ urlhash list build --where verdict=malicious table.csv -o table.list
  $ curl -s https://lists.example/hosts | urlhash list build -o hosts.list`;

const MAX_PERCENT = 100;

export function registerListBuild(list: Command, context: Context): void {
  const command = list
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
    .option("--column <column>", "the column of a table, or the field or path of JSON", columnOf)
    .option(
      "--where <condition>",
      'the rows that are entries, as in "verdict=malicious,phishing", or "all"; may be given more than once',
      collectWhere,
    )
    .option("--skip-bad", "leave out bad entries")
    .option(
      "--max-refused <percent>",
      "the percentage of a file's entries that may be bad (default: 10)",
      wholeNumber(0, MAX_PERCENT),
    )
    .option("--refang", 'turn defanged URLs back, as in "hxxps://evil[.]example/"')
    .option("--allow-empty", "write the list even if it has no entries")
    .option("--allow-broad", "accept suffixes such as com and co.uk as entries")
    .option(
      "--never-block <file>",
      "a file of hosts to keep off the list; entries for the hosts above them are left out, too",
    )
    .option("--verbose", "show every bad entry and warning; also what does not apply");
  addJsonOption(command)
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
  const { output, input, verbose = false, json = false } = options;
  checkJsonOutput(json, output);
  const { neverBlock } = options;
  const never = neverBlock === undefined ? null : await readNeverBlock(neverBlock, context);
  const file = await openOutput(output, files, context);
  const isNamed = input !== undefined;
  const reports = files.map((source) => sourceReport(source, { verbose, json, isNamed }));
  const builder = prefixListBuilder();
  const facts = { entries: 0, refused: 0 };
  let list: PrefixList | null = null;
  let failure: Failure | null = null;
  try {
    for (const report of reports) {
      const summary = await readInto(builder, report, options, never, context);
      facts.entries += summary.entries;
      facts.refused += summary.refused;
      refuseProblem(report.file, summary, options);
    }
    list = await writeList(builder, file, facts.refused, options);
  } catch (error) {
    if (!hasName<Failure>(error, "Failure")) throw error;
    failure = error;
  }
  if (json) {
    const { name, size: prefixes, lengths, checksum } = list ?? {};
    const written = list === null ? null : { file: output, name, prefixes, lengths, checksum };
    const problem = failure?.message ?? null;
    const sources = reports.map((report) => report.toRecord());
    const record = { written: list !== null, problem, list: written, ...facts, sources };
    await file.tell(`${printableJson(record)}\n`);
  } else if (list !== null) {
    // There may be fewer prefixes than entries, because entries may be equal or their hashes may begin with the same
    // bytes.
    const prefixes = `${counted(list.size, "prefix", "prefixes")} ${lengthsOf(list, options.bytes)}`;
    const without = facts.refused > 0 ? `, without ${badEntries(facts.refused)}` : "";
    const entries = counted(facts.entries, "entry", "entries");
    await file.tell(`${file.name}: ${prefixes} from ${entries}${without}\n`);
  }
  if (failure !== null) throw failure;
  if (facts.refused > 0) context.addStatus(REFUSED);
}

const badEntries = (count: number): string => counted(count, "bad entry", "bad entries");

async function readInto(
  builder: PrefixListBuilder,
  report: SourceReport,
  options: BuildOptions,
  never: NeverBlock | null,
  context: Context,
): Promise<SourceSummary> {
  const { bytes } = options;
  let leftOut = 0;
  if (report.file === "-" && context.io.stdin.isTTY) {
    await context.stderr.write("urlhash: reading entries from the terminal; press Ctrl-D to end\n");
  }
  const summary = await readSource(report, options, context, (entry) => {
    const { hash } = entry;
    const host = never?.(hash) ?? null;
    if (host === null) return builder.add(hash.length > bytes ? hash.subarray(0, bytes) : hash);
    leftOut++;
    report.onLeftOut(entry, host);
  });
  return { ...summary, entries: summary.entries - leftOut };
}

/** @throws {Failure} when there are bad entries, or the name is not valid, or the list cannot be written. */
async function writeList(
  builder: PrefixListBuilder,
  file: OutputFile,
  refused: number,
  options: BuildOptions,
): Promise<PrefixList> {
  const { output, name, skipBad, maxRefused } = options;
  if (refused > 0 && !skipBad && maxRefused === undefined) {
    const advice = "(--skip-bad leaves them out)";
    throw new Failure(`${badEntries(refused)}: ${file.name} is not written ${advice}`);
  }
  const list = listOf(
    builder,
    name ?? (output === "-" ? "stdin" : basename(output, extname(output))),
  );
  await file.write(encodePrefixList(list));
  return list;
}

function lengthsOf({ lengths }: PrefixList, bytes: number): string {
  const all = lengths.map(({ prefixBytes }) => prefixBytes);
  return `of ${all.length === 0 ? bytes : all.join(" and ")} bytes`;
}

/** @throws {Failure} when no list should be made from a file. */
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

/** @throws {Failure} when the name is not valid. */
function listOf(builder: PrefixListBuilder, name: string): PrefixList {
  try {
    return builder.build({ name });
  } catch (error) {
    // The name is the only argument that comes from the user.
    if (error instanceof RangeError) throw new Failure(reasonOf(error));
    throw error;
  }
}

/**
 * Returns the host because of which an entry must be left out, or `null`.
 *
 * @param hash a full hash, or a hash prefix of at least 4 bytes.
 */
type NeverBlock = (hash: Uint8Array) => string | null;

const keyOf = (hash: Uint8Array): string => Buffer.from(hash.subarray(0, 4)).toString("latin1");

/**
 * Reads a file of hosts that are never blocked: no entry may be for one of them, or for a host above it.
 *
 * @throws {Failure} when a line is not a host.
 */
async function readNeverBlock(file: string, { io }: Context): Promise<NeverBlock> {
  const byKey = new Map<string, { readonly hash: Uint8Array; readonly host: string }[]>();
  function add(hash: Uint8Array, host: string): void {
    const others = byKey.get(keyOf(hash)) ?? [];
    if (!others.some((other) => isSame(hash, other.hash))) {
      byKey.set(keyOf(hash), [...others, { hash, host }]);
    }
  }
  await readListSource(readPieces(file, io), {
    format: "domains",
    onEntry({ text, expression }) {
      for (const each of entriesOfHost(expression!)) add(fullHash(each), text!);
    },
    onRefusal({ line, text, expected }) {
      throw new Failure(`${nameOf(file)} line ${line}: "${printable(text)}": expected ${expected}`);
    },
  });
  return (hash) => byKey.get(keyOf(hash))?.find((each) => isSame(hash, each.hash))?.host ?? null;
}

/** Whether a hash or hash prefix covers a full hash. */
function isSame(prefix: Uint8Array, hash: Uint8Array): boolean {
  return prefix.every((byte, i) => byte === hash[i]);
}
