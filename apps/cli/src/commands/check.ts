import type { Command } from "commander";
import { checkFile } from "../bulk/check-file.ts";
import { verdictWriter } from "../bulk/verdict-writer.ts";
import type { Context } from "../context.ts";
import { evaluateParts } from "../evaluate-input.ts";
import { VERDICT_STATUS_HELP } from "../exit-status.ts";
import { Failure } from "../failure.ts";
import {
  addInputOptions,
  checkInputOptions,
  fileToRead,
  type InputOptions,
  URL_INPUT_HELP,
} from "../input/arguments-or-lines.ts";
import { readLists } from "../input/list-files.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../output/format.ts";
import { statistics } from "../output/statistics.ts";
import { writeBlocks } from "../output/write-blocks.ts";
import { addListOption, wholeNumber } from "./options.ts";

interface CheckOptions extends FormatOptions, InputOptions {
  readonly list?: readonly string[];
  readonly onlyListed?: boolean;
  readonly workers: number;
  readonly stats?: boolean;
}

const MAX_WORKERS = 256;

const HELP = `${URL_INPUT_HELP}

Text: "LISTED" or "not listed" and the URL. Below a listed URL, the expression
that is listed, its hash prefix and the list.
JSON: { "line" or "argument": 1, "url", "canonical", "listed": true,
"matches": [{ "list", "expression", "prefix" }] }.
For an input that is not a URL: { "line", "url", "error": { "code", "message",
"expected", "index", "section" } }.
A hash prefix that is shorter than the full hash may, rarely, belong to another
URL.
${VERDICT_STATUS_HELP}

Examples:
  $ urlhash check --list phishing.list http://evil.example/login
  $ urlhash check --list a.list --list b.list --ndjson - < urls.txt
  $ urlhash check --list a.list --file urls.txt --workers 4 --only-listed`;

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .summary("check URLs against lists of hash prefixes")
    .description("Check URLs against lists of hash prefixes, in order and with constant memory.");
  addListOption(addInputOptions(command))
    .option("--only-listed", "write only listed URLs, and inputs that are not URLs")
    .option("--workers <n>", "threads that read --file", wholeNumber(1, MAX_WORKERS), 1)
    .option("--stats", "write counts and speed to stderr at the end");
  addFormatOptions(command).addHelpText("after", HELP);

  command.action(async (urls: string[], options: CheckOptions) => {
    const { file, workers, onlyListed = false } = options;
    checkInputOptions(urls, options);
    if (workers > 1 && (file === undefined || file === "-")) {
      throw new Failure("--workers needs --file: several threads cannot read stdin");
    }
    const format = formatOf(options);
    const { io, colours, stderr } = context;
    const lists = await readLists(options.list, context);
    if (lists.length === 0) throw new Failure("name a list to check against: --list FILE");
    const job = { lists, format, onlyListed, colour: colours.isColorSupported };
    const blocks =
      workers > 1
        ? checkFile(file!, workers, job)
        : evaluateParts(urls, options, "URL", io, verdictWriter(job));
    const stats = statistics();
    await writeBlocks(
      blocks,
      { format, file: fileToRead(urls, options), onBlock: stats.add },
      context,
    );
    if (options.stats) await stderr.write(stats.toText(format, workers));
  });
}
