import { printable } from "@x/explain/printable";
import { displayUrn, type Urn } from "@x/urn";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { evaluateInput, onText } from "../../evaluate-input.ts";
import { statusHelp } from "../../exit-status.ts";
import {
  addInputOptions,
  type InputOptions,
  textInputHelp,
} from "../../input/arguments-or-lines.ts";
import { addFormatOptions, type FormatOptions } from "../../output/format.ts";
import type { Finding } from "../../output/results.ts";
import { evaluateUrn } from "./refused-urn.ts";
import { addSyntaxOption, type SyntaxOptions } from "./syntax-option.ts";

const HELP = `${textInputHelp("URN")}

Text: the canonical form, and below it the form for people. That form is not a
URN: do not store, compare or send it. Words that look like ASCII stay escaped.
JSON: { "line" or "argument": 1, "urn", "canonical", "readable" }.
For an input that is not a URN: { "line", "urn", "error": { "code", "message",
"expected", "index", "section" } }.
${statusHelp("some input is not a URN")}

Examples:
  $ urlhash urn display urn:example:Z%c3%bcrich
  $ urlhash urn display --json urn:example:%D0%B0pple`;

export function registerUrnDisplay(urn: Command, context: Context): void {
  const { colours, columns } = context;
  const command = urn
    .command("display")
    .description("Show URNs to people: the canonical form, and a readable one.");
  addFormatOptions(addSyntaxOption(addInputOptions(command, "URN")))
    .addHelpText("after", HELP)
    .action(async (urns: string[], options: FormatOptions & InputOptions & SyntaxOptions) => {
      const { syntax } = options;
      const display = (urn: Urn): Finding => {
        const { canonical, readable } = displayUrn(urn, { syntax });
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
      const evaluate = onText((text) => evaluateUrn(text, { syntax }, columns, display));
      await evaluateInput(urns, options, { noun: "URN", evaluate }, context);
    });
}
