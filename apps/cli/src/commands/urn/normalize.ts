import { formatUrn, normalizeUrn } from "@x/urn";
import { onUrn, type UrnCommand, type UrnOptions } from "./urn-command.ts";

const HELP = `
"urn" and the namespace become lower case, and the digits of escapes upper case.
Nothing else changes, and nothing is decoded. Two URNs are equivalent when their
normal forms are equal apart from components (rfc8141).
Text: one normal form per line.
JSON: { "line" or "argument": 1, "urn", "normalized" }.`;

const EXAMPLES = `  $ urlhash urn normalize URN:FOO:a123%2c456
  $ urlhash urn normalize < urns.txt | sort -u`;

export const NORMALIZE: UrnCommand<UrnOptions> = {
  name: "normalize",
  description: "Write URNs in their normal form.",
  help: HELP,
  examples: EXAMPLES,
  evaluating: ({ syntax }) =>
    onUrn(syntax, (urn) => {
      const normalized = formatUrn(normalizeUrn(urn), { syntax });
      return { isListed: false, toRecord: () => ({ normalized }), toText: () => normalized };
    }),
};
