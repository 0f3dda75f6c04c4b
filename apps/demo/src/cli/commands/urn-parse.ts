import type { Command } from "commander";
import type { Context } from "../context.ts";
import { exitStatusHelp } from "../exit-status-help.ts";
import { addFormatOptions, type FormatOptions } from "../format.ts";
import { addGivenOptions, type GivenOptions, givenTextHelp } from "../given.ts";
import { evaluateTexts } from "../urn/evaluate-texts.ts";
import { parsing } from "../urn/parsing.ts";
import { addSyntaxOption, type SyntaxOptions } from "../urn/syntax-option.ts";

const HELP = `${givenTextHelp("URN")}

Text: each part with its place start..end, in characters from 0, end not
included.
An error points at the character that is wrong.
JSON: { "line" or "argument": 1, "urn", "nid", "nss", "rComponent",
"qComponent", "fComponent", "offsets": { "nid": [start, end], … }, "normalized",
"usesReservedCharacters", "namespaceProblems": [{ "code", "message", "section"
}] };
of what is not a URN: { "line", "urn", "error": { "code", "message", "index",
"section" } }.
A broken rule of the namespace (the check digit of an ISBN) is no error.
${exitStatusHelp("some input is not a URN")}

Examples:
  $ urlhash urn parse urn:isbn:0-395-36341-1
  $ urlhash urn parse --syntax rfc8141 'urn:example:a/b?+r?=q#f'
  $ urlhash urn parse --ndjson < urns.txt | jq -r .nid | sort | uniq -c`;

export function registerUrnParse(urn: Command, context: Context): void {
  const command = urn.command("parse").description("Show the parts of URNs and their places.");
  addFormatOptions(addSyntaxOption(addGivenOptions(command, "URN")))
    .addHelpText("after", HELP)
    .action(async (urns: string[], options: FormatOptions & GivenOptions & SyntaxOptions) => {
      const evaluate = parsing(options.syntax, context);
      await evaluateTexts(urns, { ...options, noun: "URN" }, evaluate, context);
    });
}
