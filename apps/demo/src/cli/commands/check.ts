import { type Command, InvalidArgumentError } from "commander";
import { checkFile } from "../bulk/check-file.ts";
import { checking } from "../checking.ts";
import type { Context } from "../context.ts";
import { evaluateGiven } from "../evaluate-given.ts";
import { EXIT_STATUS_HELP } from "../exit-status.ts";
import { Failure } from "../failure.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { addGivenOptions, checkGiven, GIVEN_HELP, type GivenOptions } from "../given.ts";
import { addListOption, readLists } from "../list-files.ts";
import { sizeOf, startProgress } from "../progress.ts";
import { statistics } from "../statistics.ts";
import { writeFindings } from "../write-findings.ts";

interface CheckOptions extends FormatOptions, GivenOptions {
  readonly list?: readonly string[];
  readonly onlyListed?: boolean;
  readonly workers: number;
  readonly stats?: boolean;
}

const MAX_WORKERS = 256;

function parseWorkers(text: string): number {
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > MAX_WORKERS) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MAX_WORKERS}.`);
  }
  return workers;
}

const HELP = `${GIVEN_HELP}

Text: "LISTED" or "not listed" and the URL; below a listed one, what is on which
list.
JSON: { "line" or "argument": 1, "url", "canonical", "listed": true,
"matches": [{ "list", "expression", "prefix" }] };
of what is not a URL: { "line", "url", "error": { "code", "message" } }.
A match of a prefix that is shorter than a full hash may, rarely, be another
URL's.
${EXIT_STATUS_HELP}

Examples:
  $ urlhash check --list phishing.list http://evil.example/login
  $ urlhash check --list a.list --list b.list --ndjson - < urls.txt
  $ urlhash check --list a.list --file urls.txt --workers 4 --only-listed`;

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .summary("whether URLs are on lists of hash prefixes")
    .description("Check URLs against lists of hash prefixes, in order, with constant memory.");
  addListOption(addGivenOptions(command))
    .option("--only-listed", "write only what is listed, and what is not a URL")
    .option("--workers <n>", "threads that share the work on --file", parseWorkers, 1)
    .option("--stats", "write counts and speed to stderr at the end");
  addFormatOptions(command).addHelpText("after", HELP);

  command.action(async (urls: string[], options: CheckOptions) => {
    const { file, workers, onlyListed = false } = options;
    checkGiven(urls, options);
    if (workers > 1 && (file === undefined || file === "-")) {
      throw new Failure("--workers needs --file: stdin cannot be read by several threads");
    }
    const evaluating = { format: formatOf(options), onlyListed };
    const { io, colours, stderr } = context;
    const lists = await readLists(options.list, context);
    if (lists.length === 0) throw new Failure("give the list to check against: --list FILE");
    const isBulk = file !== undefined || urls.length === 0;
    const progress = startProgress(isBulk ? await sizeOf(file, io) : null, io);
    const stats = statistics();
    const blocks =
      workers > 1
        ? checkFile(file!, workers, { ...evaluating, lists, colour: colours.isColorSupported })
        : evaluateGiven(urls, options, checking(lists, colours), evaluating, io);
    try {
      await writeFindings(blocks, evaluating.format, context, (block) => {
        stats.add(block);
        progress.advance(block);
      });
    } finally {
      progress.stop();
    }
    if (options.stats) await stderr.write(stats.toText(evaluating.format, workers));
  });
}
