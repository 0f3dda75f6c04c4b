import { printable } from "@x/explain/printable";
import { encodeNss, parseUrn, type UrnError } from "@x/urn";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { evaluateInput, onText } from "../../evaluate-input.ts";
import { statusHelp } from "../../exit-status.ts";
import { Failure, reasonOf } from "../../failure.ts";
import {
  addInputOptions,
  type InputOptions,
  textInputHelp,
} from "../../input/arguments-or-lines.ts";
import { addFormatOptions, type FormatOptions } from "../../output/format.ts";
import type { Finding } from "../../output/results.ts";
import { evaluateName } from "./refused-urn.ts";
import { addSyntaxOption, type SyntaxOptions } from "./syntax-option.ts";

interface EncodeOptions extends FormatOptions, InputOptions, SyntaxOptions {
  readonly nid?: string;
  readonly special?: string;
}

const HELP = `${textInputHelp("name")}

A name is taken literally. Characters that a URN cannot hold become escapes of
their UTF-8 bytes, and so do "%" and the characters of --special, which have a
meaning of their own in the namespace.
Text: one namespace-specific string per line, or one URN with --nid.
JSON: { "line" or "argument": 1, "name", "nss" }, and "urn" with --nid.
For a name that cannot be encoded: { "line", "name", "error": { "code",
"message", "expected", "index", "section" } }.
${statusHelp("some input is not UTF-8, or holds U+0000")}

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
    throw new Failure(`--nid is not a namespace: ${printable(reasonOf(error))}`);
  }
}

export function registerUrnEncode(urn: Command, context: Context): void {
  const command = urn
    .command("encode")
    .description("Make URNs, or their namespace-specific strings, from names in Unicode.");
  addSyntaxOption(addInputOptions(command, "name"))
    .option("--nid <nid>", "write whole URNs of this namespace")
    .option("--special <characters>", "encode these characters too");
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (names: string[], options: EncodeOptions) => {
      const { nid, special, syntax } = options;
      if (nid !== undefined) checkNid(nid, options);
      const encode = (name: string): Finding => {
        const nss = encodeNss(name, { syntax, special });
        const encoded = nid === undefined ? { nss } : { nss, urn: `urn:${nid}:${nss}` };
        return { isListed: false, toRecord: () => encoded, toText: () => encoded.urn ?? nss };
      };
      const evaluate = onText((name) => evaluateName(name, context.columns, encode));
      await evaluateInput(names, options, { noun: "name", evaluate }, context);
    });
}
