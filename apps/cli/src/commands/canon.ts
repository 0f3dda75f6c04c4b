import { describeProblem } from "@x/canon";
import { parseUrlOr } from "@x/canon/verify";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { evaluateInput } from "../evaluate-input.ts";
import { statusHelp } from "../exit-status.ts";
import { addInputOptions, type InputOptions, URL_INPUT_HELP } from "../input/arguments-or-lines.ts";
import { addFormatOptions, type FormatOptions } from "../output/format.ts";
import type { Finding, RefusedInput } from "../output/results.ts";

const HELP = `${URL_INPUT_HELP}

Text: one canonical URL per line, as the specification says.
JSON: { "line" or "argument": 1, "url", "canonical" }.
For an input that is not a URL: { "line", "url", "error": { "code", "message",
"expected", "index", "section" } }.
${statusHelp("some input is not a URL")}

Examples:
  $ urlhash canon HTTP://EXAMPLE.com:80/%2561/../b
  $ urlhash canon < urls.txt | sort -u`;

function canonical(url: string | Uint8Array): Finding | RefusedInput {
  const parsed = parseUrlOr(url, (problem) => ({ error: describeProblem(url, problem) }));
  if ("error" in parsed) return parsed;
  const { href } = parsed;
  return { isListed: false, toRecord: () => ({ canonical: href }), toText: () => href };
}

export function registerCanon(program: Command, context: Context): void {
  const command = program
    .command("canon")
    .summary("write the canonical form of URLs")
    .description("Write the canonical form of URLs, one per line.");
  addFormatOptions(addInputOptions(command)).addHelpText("after", HELP);
  command.action(async (urls: string[], options: FormatOptions & InputOptions) => {
    await evaluateInput(urls, options, { evaluate: canonical }, context);
  });
}
