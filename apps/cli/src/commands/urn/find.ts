import { printable, printableJson } from "@x/explain/printable";
import type { UrnFinderOptions } from "@x/urn";
import type { Command } from "commander";
import type { Context, Io } from "../../context.ts";
import { refuseHidden } from "../../input/foreign-input.ts";
import { readPieces, withStart } from "../../input/read-file.ts";
import { type Annotation, annotationText, checkAnnotated } from "../../output/annotations.ts";
import { addFormatOptions, type FormatOptions, FRAMES, formatOf } from "../../output/format.ts";
import type { Block } from "../../output/results.ts";
import { writeBlocks } from "../../output/write-blocks.ts";
import { type FoundInBytes, MAX_RUN_BYTES, urnFinderInBytes } from "./find-in-bytes.ts";
import { filesOf } from "./text-file.ts";
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
github: commands that make a GitHub workflow show the URNs as notices.
sarif: one log in SARIF 2.1.0, for editors and code scanning; needs files.
A run of more than 2 MiB without a space or the like is not searched. If it
contains "urn:", it is reported.

Exit status:
  0  everything was searched, whatever was found
  2  failure: bad usage, unreadable file
  4  a part was too long to be searched; the rest was searched

Examples:
  $ urlhash urn find --trim < mail.txt
  $ urlhash urn find --ndjson *.html | jq -r .urn | sort -u
  $ urlhash urn find --trim --format sarif docs/*.md > urns.sarif`;

const TOO_LONG = {
  code: "run-too-long",
  message: `more than ${MAX_RUN_BYTES} bytes without a space are not searched for URNs`,
};

type Style = Pick<Context, "colours"> & Required<Pick<FormatOptions, "format">>;

function recordOf(file: string | null, found: FoundInBytes): object {
  const { line, column, start, end } = found;
  // JSON leaves out members that are undefined.
  const place = { file: file ?? undefined, line, column, start, end };
  if (found.urn === null) return Object.assign(place, { error: TOO_LONG });
  // Not a spread of several objects, which would take most of the running time.
  return Object.assign(place, { urn: found.text }, found.urn);
}

function annotationOf(file: string, found: FoundInBytes): Annotation {
  const { line, column, start, end } = found;
  const place = { file, line, column, endColumn: column + end - start };
  return found.urn === null
    ? {
        ...place,
        rule: "text-unsearched",
        level: "error",
        message: TOO_LONG.message,
        properties: { code: TOO_LONG.code },
      }
    : { ...place, rule: "urn-found", level: "note", message: found.text, properties: found.urn };
}

function blockOf(
  results: readonly FoundInBytes[],
  bytes: number,
  { source, name: file }: { readonly source: string; readonly name: string | null },
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
    if (format === "github" || format === "sarif") {
      out += annotationText(format, annotationOf(source, found));
    } else if (format !== "text")
      out += beforeOthers + printableJson(recordOf(file, found)) + after;
    else if (found.urn === null) errors += `urlhash: ${place} ${TOO_LONG.message}\n`;
    else out += `${colours.dim(place)} ${found.text}\n`;
  }
  return { out, errors, inputs: results.length, listed: 0, refused, unsure: 0, bytes };
}

interface Search extends UrnFinderOptions {
  readonly files: readonly string[];
  /** Whether each result names the file that it is from. */
  readonly isNamed: boolean;
}

/** Searches the files in order. */
async function* findInFiles(
  { files, isNamed, ...options }: Search,
  style: Style,
  io: Io,
): AsyncGenerator<Block> {
  for (const file of files) {
    const finder = urnFinderInBytes(options);
    const name = { source: file, name: isNamed ? file : null };
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
  addFormatOptions(command, { hasAnnotations: true })
    .addHelpText("after", HELP)
    .action(async (args: string[], options: FindOptions) => {
      const { syntax, trim } = options;
      const { io, colours } = context;
      const format = formatOf(options);
      const files = filesOf(args, io);
      checkAnnotated(format, files);
      const isNamed = format === "text" ? args.length > 1 : args.length > 0;
      const search = { files, isNamed, syntax, trimPunctuation: trim };
      const blocks = findInFiles(search, { format, colours }, io);
      const file = files.length === 1 ? files[0]! : null;
      await writeBlocks(blocks, { format, file }, context);
    });
}
