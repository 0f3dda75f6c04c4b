import { encodeNss, parseUrn, type UrnError } from "@x/urn";
import type { Command } from "commander";
import { printable } from "../../text/printable.ts";
import type { Context } from "../context.ts";
import { exitStatusHelp } from "../exit-status-help.ts";
import { Failure, reasonOf } from "../failure.ts";
import { addFormatOptions, type FormatOptions } from "../format.ts";
import { addGivenOptions, type GivenOptions, givenTextHelp } from "../given.ts";
import { evaluateTexts } from "../urn/evaluate-texts.ts";
import { addSyntaxOption, type SyntaxOptions } from "../urn/syntax-option.ts";

interface EncodeOptions extends FormatOptions, GivenOptions, SyntaxOptions {
  readonly nid?: string;
  readonly special?: string;
}

const HELP = `${givenTextHelp("name")}

A name is taken literally: what a URN may not hold becomes escapes of its UTF-8,
and so do "%" and the characters of --special, to which the namespace gives a
meaning that they do not have in a name.
Text: the namespace-specific string, or with --nid the URN, one a line.
JSON: { "line" or "argument": 1, "name", "nss" } and with --nid "urn";
of what cannot be one: { "line", "name", "error": { "code", "message", … } }.
${exitStatusHelp("some input is not UTF-8, or holds U+0000")}

Examples:
  $ urlhash urn encode --nid example 'Zürich, 100 %'
  $ urlhash urn encode --nid example --special : 'a:b' '50:50'`;

/** @throws {Failure} when no URN can have this namespace. */
function checkNid(nid: string, { syntax }: SyntaxOptions): void {
  try {
    const parsed = parseUrn(`urn:${nid}:a`, { syntax });
    if (parsed.nid !== nid) throw new Failure(`--nid ${printable(nid)} has a ":" in it`);
  } catch (error) {
    if ((error as UrnError).name !== "UrnError") throw error;
    throw new Failure(`--nid is no namespace: ${printable(reasonOf(error))}`);
  }
}

export function registerUrnEncode(urn: Command, context: Context): void {
  const command = urn
    .command("encode")
    .description("Make URNs, or their namespace-specific strings, of names in Unicode.");
  addSyntaxOption(addGivenOptions(command, "name"))
    .option("--nid <nid>", "write whole URNs of this namespace")
    .option("--special <characters>", "encode these characters too");
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (names: string[], options: EncodeOptions) => {
      const { nid, special, syntax } = options;
      if (nid !== undefined) checkNid(nid, options);
      const evaluate = (name: string) => {
        const nss = encodeNss(name, { syntax, special });
        const encoded = nid === undefined ? { nss } : { nss, urn: `urn:${nid}:${nss}` };
        return {
          isListed: false,
          toRecord: () => encoded,
          toText: () => encoded.urn ?? nss,
        };
      };
      await evaluateTexts(names, { ...options, noun: "name" }, evaluate, context);
    });
}
