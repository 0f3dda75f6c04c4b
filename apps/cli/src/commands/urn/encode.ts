import { encodeNss } from "@x/urn";
import { checkNid, type UrnCommand, type UrnOptions } from "./urn-command.ts";

interface EncodeOptions extends UrnOptions {
  readonly nid?: string;
  readonly special?: string;
}

const HELP = `
A name is taken literally. Characters that a URN cannot contain become escapes
of their UTF-8 bytes, and so do "%" and the characters of --special, which have
a meaning of their own in the namespace.
Text: one namespace-specific string per line, or one URN with --nid.
JSON: { "line" or "argument": 1, "name", "nss" }, and "urn" with --nid.`;

const EXAMPLES = `  $ urlhash urn encode --nid example 'Zürich, 100 %'
  $ urlhash urn encode --nid example --special : 'a:b' '50:50'`;

export const ENCODE: UrnCommand<EncodeOptions> = {
  name: "encode",
  description: "Make URNs, or their namespace-specific strings, from names in Unicode.",
  help: HELP,
  examples: EXAMPLES,
  refusedStatus: "some input is not UTF-8, or contains U+0000",
  refusedInput: "a name that cannot be encoded",
  noun: "name",
  addOptions: (command) =>
    command
      .option("--nid <nid>", "write whole URNs of this namespace")
      .option("--special <characters>", "encode these characters too"),
  evaluating({ nid, special, syntax }) {
    if (nid !== undefined) checkNid("--nid", nid, { syntax });
    return (name) => {
      const nss = encodeNss(name, { syntax, special });
      const encoded = nid === undefined ? { nss } : { nss, urn: `urn:${nid}:${nss}` };
      return { isListed: false, toRecord: () => encoded, toText: () => encoded.urn ?? nss };
    };
  },
};
