import { printable } from "@x/explain/printable";
import { displayUrn } from "@x/urn";
import { onUrn, type UrnCommand, type UrnOptions } from "./urn-command.ts";

const HELP = `
Text: the canonical form, and below it the form for people. That form is not a
URN: do not store, compare or send it. Words that look like ASCII stay escaped.
JSON: { "line" or "argument": 1, "urn", "canonical", "readable" }.`;

const EXAMPLES = `  $ urlhash urn display urn:example:Z%c3%bcrich
  $ urlhash urn display --json urn:example:%D0%B0pple`;

export const DISPLAY: UrnCommand<UrnOptions> = {
  name: "display",
  description: "Show URNs to people: the canonical form, and a readable one.",
  help: HELP,
  examples: EXAMPLES,
  evaluating: ({ syntax }, { colours }) =>
    onUrn(syntax, (urn) => {
      const { canonical, readable } = displayUrn(urn, { syntax });
      const shown =
        readable === canonical
          ? colours.dim("readable   the same")
          : `readable   ${colours.green(printable(readable))}`;
      return {
        isListed: false,
        toRecord: () => ({ canonical, readable }),
        toText: () => `canonical  ${colours.bold(canonical)}\n${shown}`,
      };
    }),
};
