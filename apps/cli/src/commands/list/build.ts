import { basename, extname } from "node:path";
import { readListEntry } from "@x/explain";
import { printable } from "@x/explain/printable";
import {
  encodePrefixList,
  type PrefixList,
  type PrefixListBuilder,
  prefixListBuilder,
} from "@x/prefix-list";
import type { Command } from "commander";
import type { Context, Io } from "../../context.ts";
import { REFUSED } from "../../exit-status.ts";
import { Failure, reasonOf } from "../../failure.ts";
import { fileLines, nameOf, readBlocks } from "../../input/read-file.ts";
import { counted } from "../../output/layout.ts";
import { writeFileAtomically } from "../../output/write-file-atomically.ts";
import { addBytesOption } from "../options.ts";

interface BuildOptions {
  readonly output: string;
  readonly bytes: number;
  readonly name?: string;
  readonly skipBad?: boolean;
}

const HELP = `
Each line of the FILEs (default: stdin) is an entry: a URL, or an expression
such as evil.example/path/. An entry is canonicalized and stands for its exact
host, path and query. evil.example is evil.example/, which lists everything on
that host and on the hosts below it. Blank lines and lines that start with # are
skipped.

A bad entry is reported with its line, and no list is written. --skip-bad leaves
bad entries out instead. A list file is written whole or not at all.

Exit status: 0 written, 2 not written, 4 written without the bad entries.

Examples:
  $ urlhash list build hosts.txt -o hosts.list
  $ cut -d, -f3 feed.csv | urlhash list build -o feed.list --skip-bad`;

export function registerListBuild(list: Command, { io, stdout, stderr, addStatus }: Context): void {
  const command = list
    .command("build")
    .description("Make a list of hash prefixes from URLs or expressions.")
    .argument("[file...]", 'files of entries; "-" is stdin')
    .requiredOption("-o, --output <list>", "the file to write");
  addBytesOption(command)
    .option("--name <name>", "the list's name in verdicts (default: the file's name)")
    .option("--skip-bad", "leave out bad entries")
    .addHelpText("after", HELP)
    .action(async (files: string[], { output, bytes, name, skipBad }: BuildOptions) => {
      const builder = prefixListBuilder({ prefixBytes: bytes });
      let bad = 0;
      for (const file of files.length === 0 ? ["-"] : files) {
        bad += await addEntries(file, io, builder, (line, problem) =>
          stderr.write(`urlhash: ${nameOf(file)} line ${line}: ${printable(problem)}\n`),
        );
      }
      const badEntries = counted(bad, "bad entry", "bad entries");
      const shown = printable(output);
      if (bad > 0 && !skipBad) {
        throw new Failure(`${badEntries}: ${shown} is not written (--skip-bad leaves them out)`);
      }
      const entries = counted(builder.count, "entry", "entries");
      const built = build(builder, name ?? basename(output, extname(output)));
      await writeFileAtomically(output, encodePrefixList(built));
      if (bad > 0) addStatus(REFUSED);
      // There may be fewer prefixes than entries: some entries are the same, or begin with the same bytes.
      const prefixes = `${counted(built.size, "prefix", "prefixes")} of ${bytes} bytes`;
      const without = bad > 0 ? `, without ${badEntries}` : "";
      await stdout.write(`${shown}: ${prefixes} from ${entries}${without}\n`);
    });
}

/** Adds the entries of a file, and reports the bad ones. @returns how many were bad. */
async function addEntries(
  file: string,
  io: Io,
  builder: PrefixListBuilder,
  onBad: (line: number, problem: string) => Promise<void>,
): Promise<number> {
  let bad = 0;
  for await (const block of readBlocks(file, io)) {
    for (const { number, bytes } of fileLines(block)) {
      const entry = readListEntry(bytes);
      if (entry === null) continue;
      if ("hash" in entry) {
        builder.add(entry.hash);
      } else {
        bad++;
        await onBad(number, entry.error.message);
      }
    }
  }
  return bad;
}

/** @throws {Failure} when the name is not valid. */
function build(builder: PrefixListBuilder, name: string): PrefixList {
  try {
    return builder.build({ name });
  } catch (error) {
    // Only the name comes from outside.
    if (error instanceof RangeError) throw new Failure(reasonOf(error));
    throw error;
  }
}
