import type { Command } from "commander";
import { checking } from "../checking.ts";
import type { Context } from "../context.ts";
import { evaluateAll } from "../evaluate.ts";
import { EXIT_STATUS_HELP } from "../exit-status.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { addGivenOptions, checkGiven, GIVEN_HELP, type GivenOptions, readGiven } from "../given.ts";
import { addListOption, readLists } from "../list-files.ts";
import { writeFindings } from "../write-findings.ts";

interface CheckOptions extends FormatOptions, GivenOptions {
  readonly list?: readonly string[];
  readonly onlyListed?: boolean;
}

const HELP = `${GIVEN_HELP}

Text: "LISTED" or "not listed" and the URL; below a listed one, what is on which list.
JSON: { "line" or "argument": 1, "url", "canonical", "listed": true,
"matches": [{ "list", "expression", "prefix" }] };
of what is not a URL: { "line", "url", "error": { "code", "message" } }.
A match of a prefix that is shorter than a full hash may, rarely, be another URL's.
${EXIT_STATUS_HELP}

Examples:
  $ urlhash check --list phishing.list http://evil.example/login
  $ urlhash check --list a.list --list b.list --ndjson - < urls.txt`;

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .summary("whether URLs are on lists of hash prefixes")
    .description("Check URLs against lists of hash prefixes, in order, with constant memory.");
  addListOption(addGivenOptions(command)).option("--only-listed", "write only what is listed");
  addFormatOptions(command).addHelpText("after", HELP);
  command.action(async (urls: string[], options: CheckOptions) => {
    checkGiven(urls, options);
    const format = formatOf(options);
    const lists = await readLists(options.list, context);
    const evaluate = checking(lists, context.colours);
    const blocks = async function* () {
      for await (const given of readGiven(urls, options, context.io)) {
        yield evaluateAll(given, evaluate, { format, onlyListed: options.onlyListed ?? false });
      }
    };
    await writeFindings(blocks(), format, context);
  });
}
