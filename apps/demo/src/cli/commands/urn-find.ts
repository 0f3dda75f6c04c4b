import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { findInFiles } from "../urn/finding.ts";
import { addSyntaxOption, type SyntaxOptions } from "../urn/syntax-option.ts";
import { writeWithProgress } from "../write-with-progress.ts";

interface FindOptions extends FormatOptions, SyntaxOptions {
  readonly trim?: boolean;
}

const HELP = `
The text is UTF-8, or of any encoding that extends ASCII. It is read as it
comes, with constant memory. A URN ends before the first character that it may
not hold.
Text: line:column: and the URN, both from 1, columns in characters of UTF-8;
with several files, the file before them.
JSON: { "line", "column", "start", "end", "urn", "nid", "nss", "rComponent",
"qComponent", "fComponent" }, and "file" when one is named. "start" and "end"
count octets (not UTF-16 code units) from 0, end not included.
A run of more than 2 MiB without a space or the like is not searched; if there
is "urn:" in it, that is reported.

Exit status:
  0  all is searched, whatever was found
  2  failure: bad usage, unreadable file
  4  a part was too long to be searched; the rest was

Examples:
  $ urlhash urn find --trim < mail.txt
  $ urlhash urn find --ndjson *.html | jq -r .urn | sort -u`;

export function registerUrnFind(urn: Command, context: Context): void {
  const command = urn
    .command("find")
    .description("Find the URNs in running text, with their places.")
    .argument("[file...]", 'files of text (default: stdin); "-" is stdin');
  addSyntaxOption(command).option(
    "--trim",
    "leave out what is more likely the sentence's: . , ; : ! ? ' and a ) that closes nothing",
  );
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (files: string[], options: FindOptions) => {
      const { syntax, trim } = options;
      const { io, colours } = context;
      const format = formatOf(options);
      if (files.length === 0 && io.stdin.isTTY) {
        io.stderr.write("urlhash: reading text from the terminal; Ctrl-D ends\n");
      }
      const sources = files.length === 0 ? ["-"] : files;
      const names = format === "text" ? files.length > 1 : files.length > 0;
      const finding = { syntax, trimPunctuation: trim };
      const blocks = findInFiles(sources, names, finding, { format, colours }, io);
      const only = sources.length === 1 ? sources[0]! : null;
      await writeWithProgress(blocks, only, format, context);
    });
}
