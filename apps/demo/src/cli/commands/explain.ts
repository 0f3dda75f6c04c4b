import type { Command } from "commander";
import { addBitsOption } from "../bits-option.ts";
import type { Context } from "../context.ts";
import { evaluateGiven } from "../evaluate-given.ts";
import { EXIT_STATUS_HELP } from "../exit-status.ts";
import { explaining } from "../explaining.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { addGivenOptions, checkGiven, GIVEN_HELP, type GivenOptions } from "../given.ts";
import { addListOption, readLists } from "../list-files.ts";
import { writeFindings } from "../write-findings.ts";

interface ExplainOptions extends FormatOptions, GivenOptions {
  readonly bits: number;
  readonly list?: readonly string[];
}

const HELP = `${GIVEN_HELP}

Text: steps that changed something are marked and followed by what came out.
JSON: { "line" or "argument": 1, "url", "steps": [{ "step", "section", "text",
"changed" }], "canonical", "scheme", "host", "hostType", "path", "query",
"expressions": [{ "expression", "hash", "prefix" }] },
and with a list "listed" and "matches" as in "urlhash check --help".
${EXIT_STATUS_HELP}

Examples:
  $ urlhash explain 'http://user@EXAMPLE.com:80/%2561/../b?q#top'
  $ urlhash explain --list phishing.list http://3279880203/login`;

export function registerExplain(program: Command, context: Context): void {
  const command = program
    .command("explain")
    .summary("the whole way of a URL, from its text to the verdict")
    .description(
      "Show each canonicalization step of a URL, its expressions with hashes, and the verdict of lists.",
    );
  addFormatOptions(addBitsOption(addListOption(addGivenOptions(command)))).addHelpText(
    "after",
    HELP,
  );
  command.action(async (urls: string[], options: ExplainOptions) => {
    checkGiven(urls, options);
    const format = formatOf(options);
    const lists = await readLists(options.list, context);
    const evaluate = explaining(lists, options.bits / 8, context);
    const evaluating = { format, onlyListed: false };
    const blocks = evaluateGiven(urls, options, evaluate, evaluating, context.io);
    await writeFindings(blocks, format, context);
  });
}
