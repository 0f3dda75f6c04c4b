import { displayUrn } from "@x/urn";
import type { Command } from "commander";
import { printable } from "../../text/printable.ts";
import type { Context } from "../context.ts";
import { exitStatusHelp } from "../exit-status-help.ts";
import { addFormatOptions, type FormatOptions } from "../format.ts";
import { addGivenOptions, type GivenOptions, givenTextHelp } from "../given.ts";
import { evaluateTexts } from "../urn/evaluate-texts.ts";
import { addSyntaxOption, type SyntaxOptions } from "../urn/syntax-option.ts";

const HELP = `${givenTextHelp("URN")}

Text: the canonical form, and below it the form for people, which is not a URN:
do not store, compare or send it. Only words that do not look like ASCII are
decoded in it.
JSON: { "line" or "argument": 1, "urn", "canonical", "readable" };
of what is not a URN: { "line", "urn", "error": { "code", "message", "index",
"section" } }.
${exitStatusHelp("some input is not a URN")}

Examples:
  $ urlhash urn display urn:example:Z%c3%bcrich
  $ urlhash urn display --json urn:example:%D0%B0pple`;

export function registerUrnDisplay(urn: Command, context: Context): void {
  const { colours } = context;
  const command = urn
    .command("display")
    .description("Show URNs as people may be shown them: canonical, and human-friendly.");
  addFormatOptions(addSyntaxOption(addGivenOptions(command, "URN")))
    .addHelpText("after", HELP)
    .action(async (urns: string[], options: FormatOptions & GivenOptions & SyntaxOptions) => {
      const evaluate = (text: string) => {
        const { canonical, readable } = displayUrn(text, { syntax: options.syntax });
        return {
          isListed: false,
          toRecord: () => ({ canonical, readable }),
          toText: () =>
            `canonical  ${colours.bold(canonical)}\n` +
            (readable === canonical
              ? colours.dim("readable   the same")
              : `readable   ${colours.green(printable(readable))}`),
        };
      };
      await evaluateTexts(urns, { ...options, noun: "URN" }, evaluate, context);
    });
}
