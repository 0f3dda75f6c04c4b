import { formatUrn, normalizeUrn, type Urn } from "@x/urn";
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

"urn" and the namespace become lower case, and the digits of escapes upper case.
Nothing else changes, and nothing is decoded. Two URNs are equivalent when their
normal forms are equal apart from components (rfc8141).
Text: one normal form per line.
JSON: { "line" or "argument": 1, "urn", "normalized" }.
For an input that is not a URN: { "line", "urn", "error": { "code", "message",
"expected", "index", "section" } }.
${statusHelp("some input is not a URN")}

Examples:
  $ urlhash urn normalize URN:FOO:a123%2c456
  $ urlhash urn normalize < urns.txt | sort -u`;

export function registerUrnNormalize(urn: Command, context: Context): void {
  const command = urn.command("normalize").description("Write URNs in their normal form.");
  addFormatOptions(addSyntaxOption(addInputOptions(command, "URN")))
    .addHelpText("after", HELP)
    .action(async (urns: string[], options: FormatOptions & InputOptions & SyntaxOptions) => {
      const { syntax } = options;
      const normalize = (urn: Urn): Finding => {
        const normalized = formatUrn(normalizeUrn(urn), { syntax });
        return { isListed: false, toRecord: () => ({ normalized }), toText: () => normalized };
      };
      const evaluate = onText((text) => evaluateUrn(text, { syntax }, context.columns, normalize));
      await evaluateInput(urns, options, { noun: "URN", evaluate }, context);
    });
}
