import { printable, printableJson } from "@x/explain/printable";
import type { UrnFinderOptions } from "@x/urn";
import type { Command } from "commander";
import type { Context, Io } from "../../context.ts";
import { refuseOpaque } from "../../input/foreign-input.ts";
import { filesOf, readPieces, withStart } from "../../input/read-file.ts";
import { writeBlocks } from "../../output/blocks.ts";
import {
  addFormatOptions,
  type Format,
  type FormatOptions,
  FRAMES,
  formatOf,
} from "../../output/format.ts";
import type { Block } from "../../output/results.ts";
import {
  type FoundInBytes,
  MAX_RUN_BYTES,
  type UnsearchedReason,
  urnFinderInBytes,
} from "./find-in-bytes.ts";
import { addSyntaxOption, type SyntaxOptions } from "./syntax.ts";

interface FindOptions extends FormatOptions, SyntaxOptions {
  readonly trim?: boolean;
}

const HELP = `
The text may be in UTF-8, or in any encoding that extends ASCII; UTF-16,
compressed files, and documents such as PDF and Parquet files are refused. It is
searched as it arrives, with constant memory. A URN ends before the first
character that it cannot contain, and where the text around it clearly ends it:
at the "'", "*", "_" or "~" that is also before it, at &quot; and other
character references, at "&" when "=" is before it, at an escaped delimiter when
an escape is before it, and at a "," or ";" directly before the next URN.
A name that seems to go on, such as one that is cut by the end of a line or by
an escape such as \\_ or \\u002B, is reported on stderr, and has "isCut" in JSON.
Text: line:column: and the URN. Lines and columns count from 1, columns in
characters of UTF-8. With several files, the file comes first.
JSON: { "line", "column", "start", "end", "urn", "nid", "nss", "rComponent",
"qComponent", "fComponent" }, and "file" when one is named. "start" and "end"
are indices in bytes, from 0, end not included.
More than 2 MiB without a space or line end are not searched, and
neither is UTF-16 in the middle of a file. If they contain "urn:", this is
reported. So are URNs that are not found, because a colon, a part of the NID or
the start of the name is escaped, as in urn%3A, urn\\:, urn:x\\-a:b and
urn:a:\\_b, or because "urn" may be the end of another scheme, as in x-urn:a:b
and end.urn:a:b.

Exit status:
  0  everything was searched, whatever was found
  2  failure: bad usage, unreadable file
  4  a part could not be searched or read; the rest was searched

Examples:
  $ urlhash urn find --trim < mail.txt
  $ urlhash urn find --ndjson *.html | jq -r .urn | sort -u`;

const UNSEARCHED: Record<UnsearchedReason, string> = {
  "run-too-long": `more than ${MAX_RUN_BYTES} bytes without a space are not searched for URNs`,
  "wide-characters": "text in UTF-16 or UTF-32 is not searched for URNs",
  encoded: "a URN with an escaped colon is not read: decode the text first",
  "escaped-name":
    "a URN with an escape in its NID or at the start of its name is not read: decode the text first",
  "other-scheme":
    "the characters before urn: make it the end of another scheme: put a space between them if it is a URN",
};

const CUT = "the name may be cut off: it seems to continue";

type Style = Pick<Context, "colours"> & { readonly format: Format };

function recordOf(file: string | null, found: FoundInBytes): object {
  const { line, column, start, end } = found;
  // JSON leaves out members that are undefined.
  const place = { file: file ?? undefined, line, column, start, end };
  if (found.urn === null) {
    return Object.assign(place, { error: { code: found.why, message: UNSEARCHED[found.why] } });
  }
  // `Object.assign` is used because spreading several objects would take most of the running time.
  const isCut = found.isCut || undefined;
  return Object.assign(place, { urn: found.text }, found.urn, { isCut });
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
    else if (found.urn === null) errors += `urlhash: ${place} ${UNSEARCHED[found.why]}\n`;
    else {
      out += `${colours.dim(place)} ${found.text}\n`;
      if (found.isCut) errors += `urlhash: ${place} ${CUT}\n`;
    }
  }
  return { out, errors, inputs: results.length, listed: 0, refused, unsure: 0, bytes };
}

interface Search extends UrnFinderOptions {
  readonly files: readonly string[];
  /** Whether each result includes the name of its file. */
  readonly isNamed: boolean;
}

async function* findInFiles(
  { files, isNamed, ...options }: Search,
  style: Style,
  io: Io,
): AsyncGenerator<Block> {
  for (const file of files) {
    const finder = urnFinderInBytes(options);
    const name = isNamed ? file : null;
    const pieces = withStart(readPieces(file, io), (start) => refuseOpaque(start, file));
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
      const files = filesOf(args, io);
      const isNamed = format === "text" ? args.length > 1 : args.length > 0;
      const trimming = { trimDelimiters: true, trimPunctuation: trim };
      const search = { files, isNamed, syntax, ...trimming };
      const blocks = findInFiles(search, { format, colours }, io);
      const file = files.length === 1 ? files[0]! : null;
      await writeBlocks(blocks, { format, file }, context);
    });
}
