import { formatUrn, normalizeUrn, tryParseUrn, urnProblem } from "@x/urn";
import type { UrnCommand } from "./urn-command.ts";

const HELP = `
"urn" and the namespace become lower case, and the digits of escapes upper case.
Nothing else changes, and nothing is decoded. Two URNs are equivalent when their
normal forms are equal apart from components (rfc8141).
Text: one normal form per line.
JSON: { "line" or "argument": 1, "urn", "normalized" }.`;

const EXAMPLES = `  $ urlhash urn normalize URN:FOO:a123%2c456
  $ urlhash urn normalize < urns.txt | sort -u`;

export const NORMALIZE: UrnCommand = {
  name: "normalize",
  description: "Write URNs in their normal form.",
  help: HELP,
  examples: EXAMPLES,
  evaluating:
    ({ syntax }) =>
    (text) => {
      const urn = tryParseUrn(text, { syntax });
      if (urn === null) return { error: urnProblem(text, { syntax })! };
      const normalized = formatUrn(normalizeUrn(urn), { syntax });
      return { isListed: false, toRecord: () => ({ normalized }), toText: () => normalized };
    },
};
