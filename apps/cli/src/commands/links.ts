import { Failure } from "@x/command-line";
import { printable, printableJson } from "@x/explain/printable";
import type { Command } from "commander";
import type { Context, Io } from "../context.ts";
import { NOT_FOUND } from "../exit-status.ts";
import { type FoundInFile, linksInFile, PROBLEMS, unreadText } from "../input/found-links.ts";
import { addAsOption, LINK_FORMATS_HELP, type LinkFormat } from "../input/link-formats.ts";
import { filesOf } from "../input/read-file.ts";
import { writeBlocks } from "../output/blocks.ts";
import {
  addFormatOptions,
  type Format,
  type FormatOptions,
  FRAMES,
  formatOf,
} from "../output/format.ts";
import type { Block } from "../output/results.ts";
import { linkPlaceText, otherPlacesText, partText } from "../output/results.ts";

interface LinksOptions extends FormatOptions {
  readonly as?: LinkFormat;
  readonly base?: string;
}

const HELP = `
${LINK_FORMATS_HELP}

Defanged links are turned back, and so are links with invisible characters and
line breaks inside. A host without a scheme is a link if its top-level domain
exists. Nothing is contacted.
Text: line:column: and the URL. In an email, the part comes before the line, and
lines are those of the decoded part. Columns count UTF-16 code units, as in
editors. With several files, the file comes first. If people see a host other
than that of the URL, it follows in parentheses. A URL that is both in the HTML
and in the text of an email is written once, with both places.
JSON: { "line", "column", "start", "end", "url", "text", "where", "isDefanged",
"shown" }, in emails also "part" and "also": [{ "part", "line", "column" }], and
"file" when one is named.
Parts of an email that were not searched as a whole, such as PDF files, are
reported on stderr; in JSON, { "part", "unread": { "name", "type", "reason" } }.
An email whose links may be missing: { "part", "error": { "code", "message" } }.

Exit status:
  0  there are links                2  failure: bad usage, unreadable file
  1  there are none                 4  an email could not be read as a whole;
  5  1 and 4 together                  links may be missing

Examples:
  $ urlhash links message.eml
  $ urlhash links --as html --base https://example.com/ < page.html
  $ urlhash links --ndjson *.md | jq -r .url | sort -u`;

/** The approximate number of characters that are written at once. */
const BLOCK_LENGTH = 16_384;

interface Style extends Pick<Context, "colours"> {
  readonly format: Format;
}

interface Written {
  readonly out: string;
  readonly errors: string;
  readonly refused: number;
}

function written(found: FoundInFile, file: string | null, { format, colours }: Style): Written {
  const { beforeOthers, after } = FRAMES[format];
  const record = (members: object): string =>
    beforeOthers + printableJson({ ...(file !== null && { file }), ...members }) + after;
  const isText = format === "text";
  const prefix = file === null ? "" : `${printable(file)}:`;
  if (found.kind === "link") {
    const { place, link } = found;
    if (!isText) return { out: record({ ...place, ...link }), errors: "", refused: 0 };
    const at = colours.dim(`${prefix}${printable(linkPlaceText(place))}:`);
    const shown = link.shown === null ? "" : colours.yellow(` (shown: ${printable(link.shown)})`);
    const others = colours.dim(printable(otherPlacesText(place)));
    return { out: `${at} ${printable(link.url)}${shown}${others}\n`, errors: "", refused: 0 };
  }
  if (found.kind === "unread") {
    const { part, ...unread } = found.unread;
    const at = `${prefix}${printable(partText(part.slice(0, -1)))}`;
    const errors = `urlhash: ${at}${at === "" ? "" : " "}${printable(unreadText(found.unread))}\n`;
    return { out: isText ? "" : record({ part, unread }), errors, refused: 0 };
  }
  const { part, code } = found;
  const message = PROBLEMS[code];
  const at = `${prefix}${printable(partText(part))}`;
  return {
    out: isText ? "" : record({ part, error: { code, message } }),
    errors: isText ? `urlhash: ${at}${at === "" ? "" : " "}${message}\n` : "",
    refused: 1,
  };
}

interface Search {
  readonly files: readonly string[];
  /** Whether each result includes the name of its file. */
  readonly isNamed: boolean;
  readonly as: LinkFormat | undefined;
  readonly base: string | undefined;
  /** Called for each link. */
  readonly onLink: () => void;
}

async function* searched(search: Search, style: Style, io: Io): AsyncGenerator<Block> {
  const { files, isNamed, as, base, onLink } = search;
  let bytes = 0;
  const onRead = (read: number): void => {
    bytes += read;
  };
  for (const file of files) {
    let [out, errors, inputs, refused] = ["", "", 0, 0];
    const block = (): Block => {
      const done = { out, errors, inputs, listed: 0, refused, unsure: 0, bytes };
      [out, errors, inputs, refused, bytes] = ["", "", 0, 0, 0];
      return done;
    };
    for await (const found of linksInFile({ file, as, base }, io, onRead)) {
      const one = written(found, isNamed ? file : null, style);
      out += one.out;
      errors += one.errors;
      refused += one.refused;
      inputs++;
      if (found.kind === "link") onLink();
      if (out.length + errors.length > BLOCK_LENGTH) yield block();
    }
    yield block();
  }
}

export function registerLinks(program: Command, context: Context): void {
  const command = program
    .command("links")
    .summary("find the links in text, HTML, Markdown and emails")
    .description("Find the links in text, HTML, Markdown and emails, and where they are.")
    .argument("[file...]", 'the files (default: stdin); "-" is stdin');
  addAsOption(command).option(
    "--base <url>",
    "the URL of the page, for resolving relative references",
  );
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (args: string[], options: LinksOptions) => {
      const { as, base } = options;
      if (base !== undefined && !URL.canParse(base)) {
        throw new Failure(`--base must be an absolute URL, not ${printable(base)}`);
      }
      const { io, colours, addStatus } = context;
      const format = formatOf(options);
      const files = filesOf(args, io);
      const isNamed = format === "text" ? args.length > 1 : args.length > 0;
      let hasLinks = false;
      const onLink = (): void => {
        hasLinks = true;
      };
      const blocks = searched({ files, isNamed, as, base, onLink }, { format, colours }, io);
      const file = files.length === 1 ? files[0]! : null;
      await writeBlocks(blocks, { format, file }, context);
      if (!hasLinks) addStatus(NOT_FOUND);
    });
}
