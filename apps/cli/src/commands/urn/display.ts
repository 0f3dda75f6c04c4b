import { printable } from "@x/explain/printable";
import { displayUrn } from "@x/urn";
import { statusHelp } from "../../exit-status.ts";
import { textInputHelp } from "../../input/arguments-or-lines.ts";
import { refusalHelp } from "../evaluating-command.ts";
import { onUrn, type UrnCommand, type UrnOptions } from "./urn-command.ts";

const HELP = `${textInputHelp("URN")}

Text: the canonical form, and below it the form for people. That form is not a
URN: do not store, compare or send it. Words that look like ASCII stay escaped.
JSON: { "line" or "argument": 1, "urn", "canonical", "readable" }.
${refusalHelp("URN")}
${statusHelp("some input is not a URN")}

Examples:
  $ urlhash urn display urn:example:Z%c3%bcrich
  $ urlhash urn display --json urn:example:%D0%B0pple`;

export const DISPLAY: UrnCommand<UrnOptions> = {
  name: "display",
  description: "Show URNs to people: the canonical form, and a readable one.",
  help: HELP,
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
