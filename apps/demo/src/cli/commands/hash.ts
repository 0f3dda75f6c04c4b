import { parseUrl } from "@x/canon";
import { urlHashes } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";
import type { Command } from "commander";
import { addBitsOption } from "../bits-option.ts";
import type { Context } from "../context.ts";
import { type Evaluate, oneByOne } from "../evaluate.ts";
import { evaluateGiven } from "../evaluate-given.ts";
import { exitStatusHelp } from "../exit-status-help.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { addGivenOptions, checkGiven, GIVEN_HELP, type GivenOptions } from "../given.ts";
import { hashRecords } from "../records.ts";
import { writeFindings } from "../write-findings.ts";

interface HashOptions extends FormatOptions, GivenOptions {
  readonly bits: number;
}

function hashing(bits: number, { colours }: Context): Evaluate {
  return oneByOne((given) => {
    const url = parseUrl(given);
    const hashes = urlHashes(url, { prefixBytes: bits / 8 });
    return {
      isListed: false,
      toRecord: () => ({ canonical: url.href, ...hashRecords(hashes) }),
      toText: () =>
        [
          colours.bold(url.href),
          ...hashes.map(
            ({ expression, prefix }) => `  ${colours.cyan(toHex(prefix))}  ${expression}`,
          ),
        ].join("\n"),
    };
  });
}

const HELP = `${GIVEN_HELP}

Text: the canonical URL, then a line for each expression with its hash prefix.
JSON: { "line" or "argument": 1, "url", "canonical", "expressions": [{
"expression", "hash", "prefix" }] };
of what is not a URL: { "line", "url", "error": { "code", "message" } }.
${exitStatusHelp("some input is not a URL")}

Examples:
  $ urlhash hash http://a.b.c/1/2.html?param=1
  $ urlhash hash --bits 256 example.com
  $ urlhash hash --ndjson < urls.txt | jq -r .expressions[].prefix`;

export function registerHash(program: Command, context: Context): void {
  const command = program
    .command("hash")
    .summary("the expressions of URLs and their hash prefixes")
    .description("Write the suffix/prefix expressions of URLs with their SHA-256 hash prefixes.");
  addFormatOptions(addBitsOption(addGivenOptions(command))).addHelpText("after", HELP);
  command.action(async (urls: string[], options: HashOptions) => {
    checkGiven(urls, options);
    const format = formatOf(options);
    const evaluate = hashing(options.bits, context);
    const evaluating = { format, onlyListed: false };
    const blocks = evaluateGiven(urls, options, evaluate, evaluating, context.io);
    await writeFindings(blocks, format, context);
  });
}
