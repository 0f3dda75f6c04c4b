import { printable, printableJson } from "@x/explain/printable";
import { ListSourceError, type ListSourceErrorCode, recognizeSource } from "@x/list-source";
import type { UrnFinderOptions } from "@x/urn";
import type { Command } from "commander";
import type { Context, Io } from "../../context.ts";
import { Failure, reasonOf } from "../../failure.ts";
import { nameOf, readPieces, withStart } from "../../input/read-file.ts";
import { addFormatOptions, type FormatOptions, FRAMES, formatOf } from "../../output/format.ts";
import type { Block } from "../../output/results.ts";
import { writeBlocks } from "../../output/write-blocks.ts";
import { type FoundInBytes, MAX_RUN_BYTES, urnFinderInBytes } from "./find-in-bytes.ts";
import { addSyntaxOption, type SyntaxOptions } from "./urn-command.ts";

interface FindOptions extends FormatOptions, SyntaxOptions {
  readonly trim?: boolean;
}

const HELP = `
The text may be in UTF-8, or in any encoding that extends ASCII; UTF-16 and
compressed files are refused. It is searched as it arrives, with constant
memory. A URN ends before the first character that it cannot contain.
Text: line:column: and the URN. Lines and columns count from 1, columns in
characters of UTF-8. With several files, the file comes first.
JSON: { "line", "column", "start", "end", "urn", "nid", "nss", "rComponent",
"qComponent", "fComponent" }, and "file" when one is named. "start" and "end"
are indices in bytes, from 0, end not included.
A run of more than 2 MiB without a space or the like is not searched. If it
contains "urn:", it is reported.

Exit status:
  0  everything was searched, whatever was found
  2  failure: bad usage, unreadable file
  4  a part was too long to be searched; the rest was searched

Examples:
  $ urlhash urn find --trim < mail.txt
  $ urlhash urn find --ndjson *.html | jq -r .urn | sort -u`;

const TOO_LONG = {
  code: "run-too-long",
  message: `more than ${MAX_RUN_BYTES} bytes without a space are not searched for URNs`,
};

type Style = Pick<Context, "colours"> & Required<Pick<FormatOptions, "format">>;

function recordOf(file: string | null, found: FoundInBytes): object {
  const { line, column, start, end } = found;
  // A member that is undefined is left out of JSON.
  const place = { file: file ?? undefined, line, column, start, end };
  if (found.urn === null) return Object.assign(place, { error: TOO_LONG });
  // Spreading several objects would take most of the time.
  return Object.assign(place, { urn: found.text }, found.urn);
}

function blockOf(
  results: readonly FoundInBytes[],
  bytes: number,
  file: string | null,
  { format, colours }: Style,
): Block {
  const { beforeOthers, after } = FRAMES[format];
  const prefix = file === null ? "" : `${printable(file)}:`;
  let out = "";
  let errors = "";
  let refused = 0;
  for (const found of results) {
    const place = `${prefix}${found.line}:${found.column}:`;
    if (found.urn === null) refused++;
    if (format !== "text") out += beforeOthers + printableJson(recordOf(file, found)) + after;
    else if (found.urn === null) errors += `urlhash: ${place} ${TOO_LONG.message}\n`;
    else out += `${colours.dim(place)} ${found.text}\n`;
  }
  return { out, errors, inputs: results.length, listed: 0, refused, unsure: 0, bytes };
}

/** Kinds of sources in which the bytes of a URN are not next to each other. */
const HIDING: ReadonlySet<ListSourceErrorCode> = new Set(["utf-16", "compressed"]);

/** @throws {Failure} when URNs in the source would not be found. */
function refuseHidden(start: Uint8Array, file: string): void {
  try {
    recognizeSource(start);
  } catch (error) {
    if (!(error instanceof ListSourceError)) throw error;
    if (HIDING.has(error.code)) throw new Failure(`${nameOf(file)}: ${reasonOf(error)}`);
  }
}

interface Search extends UrnFinderOptions {
  readonly files: readonly string[];
  /** Whether results say which file they are from. */
  readonly isNamed: boolean;
}

/** Searches the files in their order. */
async function* findInFiles(
  { files, isNamed, ...options }: Search,
  style: Style,
  io: Io,
): AsyncGenerator<Block> {
  for (const file of files) {
    const finder = urnFinderInBytes(options);
    const name = isNamed ? file : null;
    const pieces = withStart(readPieces(file, io), (start) => refuseHidden(start, file));
    for await (const piece of pieces) {
      yield blockOf(finder.push(piece), piece.length, name, style);
    }
    yield blockOf(finder.end(), 0, name, style);
  }
}

export function registerUrnFind(urn: Command, context: Context): void {
  const command = urn
    .command("find")
    .description("Find the URNs in running text, and where they are.")
    .argument("[file...]", 'text files (default: stdin); "-" is stdin');
  addSyntaxOption(command).option(
    "--trim",
    "leave out punctuation of the sentence: . , ; : ! ? ' and an unmatched ) at the end",
  );
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (args: string[], options: FindOptions) => {
      const { syntax, trim } = options;
      const { io, colours } = context;
      const format = formatOf(options);
      if (args.length === 0 && io.stdin.isTTY) {
        io.stderr.write("urlhash: reading text from the terminal; Ctrl-D ends\n");
      }
      const files = args.length === 0 ? ["-"] : args;
      const isNamed = format === "text" ? args.length > 1 : args.length > 0;
      const search = { files, isNamed, syntax, trimPunctuation: trim };
      const blocks = findInFiles(search, { format, colours }, io);
      const file = files.length === 1 ? files[0]! : null;
      await writeBlocks(blocks, { format, file }, context);
    });
}
