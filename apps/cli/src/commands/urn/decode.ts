import { printable } from "@x/explain/printable";
import { decodeNss, tryParseUrn } from "@x/urn";
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
import { evaluateName } from "./refused-urn.ts";
import { addSyntaxOption, type SyntaxOptions } from "./syntax-option.ts";

const HELP = `${textInputHelp("URN")}
A namespace-specific string alone is decoded too.

Each escape is decoded once, as UTF-8: the inverse of "urlhash urn encode".
Compare URNs, not names: a%2Cb and a,b are different URNs of one name.
Text: one name per line. Characters that are unsafe to show are spelled out.
JSON: { "line" or "argument": 1, "urn", "nss", "name" }.
For an input that is not a URN: { "line", "urn", "error": { "code", "message",
"expected", "index", "section" } }.
${statusHelp("some input is not a URN, or not in UTF-8")}

Examples:
  $ urlhash urn decode urn:example:Z%C3%BCrich%20100%25
  $ urlhash urn decode --ndjson < urns.txt | jq -r .name`;

export function registerUrnDecode(urn: Command, context: Context): void {
  const command = urn
    .command("decode")
    .description("Write the names that URNs, or their namespace-specific strings, stand for.");
  addFormatOptions(addSyntaxOption(addInputOptions(command, "URN")))
    .addHelpText("after", HELP)
    .action(async (urns: string[], options: FormatOptions & InputOptions & SyntaxOptions) => {
      const { syntax } = options;
      const decode = (text: string): Finding => {
        const nss = tryParseUrn(text, { syntax })?.nss ?? text;
        const name = decodeNss(nss, { syntax });
        return {
          isListed: false,
          toRecord: () => ({ nss, name }),
          toText: () => printable(name),
        };
      };
      const evaluate = onText((text) => evaluateName(text, context.columns, decode));
      await evaluateInput(urns, options, { noun: "URN", evaluate }, context);
    });
}
