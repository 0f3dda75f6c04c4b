import { basename, extname } from "node:path";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { type Command, InvalidArgumentError } from "commander";
import type { Line } from "../../lines.ts";
import { readEntry } from "../../list/read-entry.ts";
import { printable } from "../../text/printable.ts";
import type { Context, Io } from "../context.ts";
import { counted } from "../counted.ts";
import { NOT_A_URL } from "../exit-status.ts";
import { Failure, reasonOf } from "../failure.ts";
import { gatherPrefixes, type PrefixGathering } from "../gather-prefixes.ts";
import { readLines } from "../read-lines.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";

interface BuildOptions {
  readonly output: string;
  readonly bytes: number;
  readonly name?: string;
  readonly skipBad?: boolean;
}

function parseBytes(text: string): number {
  const bytes = Number(text);
  if (!/^\d+$/.test(text) || bytes < 4 || bytes > 32) {
    throw new InvalidArgumentError("Expected a whole number from 4 to 32.");
  }
  return bytes;
}

const HELP = `
Each line of the FILEs (default: stdin) is an entry: a URL, or an expression
such as evil.example/path/. An entry is canonicalized, and stands for its exact
host, path and query; evil.example is evil.example/, which lists all of that
host and of the hosts below it. Blank lines and lines that start with # are
passed over.

A bad entry is reported with its line, and no list is written, unless --skip-bad
leaves it out. A list is written whole or not at all.

Exit status: 0 written, 2 not written, 4 written without bad entries.

Examples:
  $ urlhash list build hosts.txt -o hosts.list
  $ cut -d, -f3 feed.csv | urlhash list build -o feed.list --skip-bad`;

export function registerListBuild(list: Command, { io, stdout, stderr, addStatus }: Context): void {
  list
    .command("build")
    .description("Make a list of hash prefixes from URLs or expressions.")
    .argument("[file...]", 'files of entries; "-" is stdin')
    .requiredOption("-o, --output <list>", "the file to write")
    .option("--bytes <n>", "octets of a prefix, 4 to 32", parseBytes, 4)
    .option("--name <name>", "the name that verdicts give (default: that of the file)")
    .option("--skip-bad", "leave bad entries out")
    .addHelpText("after", HELP)
    .action(async (files: string[], { output, bytes, name, skipBad }: BuildOptions) => {
      const gathering = gatherPrefixes(bytes);
      let bad = 0;
      for (const file of files.length === 0 ? ["-"] : files) {
        const source = file === "-" ? "stdin" : printable(file);
        bad += await addEntries(file, io, gathering, (line, problem) =>
          stderr.write(`urlhash: ${source} line ${line.number}: ${problem}\n`),
        );
      }
      const badEntries = counted(bad, "bad entry", "bad entries");
      const shown = printable(output);
      if (bad > 0 && !skipBad) {
        throw new Failure(`${badEntries}: ${shown} is not written (--skip-bad leaves them out)`);
      }
      const { file, size } = encode(gathering, name ?? basename(output, extname(output)));
      await writeFileAtomically(output, file);
      if (bad > 0) addStatus(NOT_A_URL);
      // Fewer prefixes than entries: some were named twice, or begin with the same octets.
      const prefixes = `${counted(size, "prefix", "prefixes")} of ${bytes} octets`;
      const entries = counted(gathering.count(), "entry", "entries");
      const without = bad > 0 ? `, without ${badEntries}` : "";
      await stdout.write(`${shown}: ${prefixes} from ${entries}${without}\n`);
    });
}

/** Adds the entries of a file, and tells of the bad ones. @returns how many were bad. */
async function addEntries(
  file: string,
  io: Io,
  gathering: PrefixGathering,
  onBad: (line: Line, problem: string) => Promise<void>,
): Promise<number> {
  let bad = 0;
  for await (const lines of readLines(file, io)) {
    for (const line of lines) {
      const { hash, problem } = readEntry(line);
      if (hash !== null) gathering.add(hash);
      if (problem === null) continue;
      bad++;
      await onBad(line, problem);
    }
  }
  return bad;
}

function encode(gathering: PrefixGathering, name: string): { file: Uint8Array; size: number } {
  try {
    const list = prefixList(gathering.batches(), { name });
    return { file: encodePrefixList(list), size: list.size };
  } catch (error) {
    // Of what can be wrong, only the name comes from outside.
    if (error instanceof RangeError) throw new Failure(reasonOf(error));
    throw error;
  }
}
