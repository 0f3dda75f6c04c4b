import { formatUrn, normalizeUrn, parseUrn } from "@x/urn";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { exitStatusHelp } from "../exit-status-help.ts";
import { addFormatOptions, type FormatOptions } from "../format.ts";
import { addGivenOptions, type GivenOptions, givenTextHelp } from "../given.ts";
import { evaluateTexts } from "../urn/evaluate-texts.ts";
import { addSyntaxOption, type SyntaxOptions } from "../urn/syntax-option.ts";

const HELP = `${givenTextHelp("URN")}

"urn" and the namespace become lower case, the digits of escapes upper case;
nothing else changes, and nothing is decoded. URNs are equivalent when their
normal forms are equal, but for components (rfc8141).
Text: the normal form, one a line.
JSON: { "line" or "argument": 1, "urn", "normalized" };
of what is not a URN: { "line", "urn", "error": { "code", "message", "index",
"section" } }.
${exitStatusHelp("some input is not a URN")}

Examples:
  $ urlhash urn normalize URN:FOO:a123%2c456
  $ urlhash urn normalize < urns.txt | sort -u`;

export function registerUrnNormalize(urn: Command, context: Context): void {
  const command = urn.command("normalize").description("Write URNs in their normal form.");
  addFormatOptions(addSyntaxOption(addGivenOptions(command, "URN")))
    .addHelpText("after", HELP)
    .action(async (urns: string[], options: FormatOptions & GivenOptions & SyntaxOptions) => {
      const { syntax } = options;
      const evaluate = (text: string) => {
        const normalized = formatUrn(normalizeUrn(parseUrn(text, { syntax })), { syntax });
        return { isListed: false, toRecord: () => ({ normalized }), toText: () => normalized };
      };
      await evaluateTexts(urns, { ...options, noun: "URN" }, evaluate, context);
    });
}
