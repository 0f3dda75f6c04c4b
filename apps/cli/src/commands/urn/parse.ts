import { explainUrn, URN_PART_LABELS, type UrnExplanation, type UrnPartName } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import type { Context } from "../../context.ts";
import { fillBeside, foldBeside } from "../../output/layout.ts";
import type { UrnCommand } from "./urn-command.ts";

const LABEL_COLUMNS = 13;

function toText(
  text: string,
  { offsets, normalized, notes }: UrnExplanation,
  { colours, columns }: Pick<Context, "colours" | "columns">,
): string {
  const spanColumns = `${text.length}..${text.length}`.length;
  const indent = 2 + LABEL_COLUMNS + spanColumns + 2;
  const start = (label: string, span = ""): string =>
    `  ${label.padEnd(LABEL_COLUMNS)}${colours.dim(span.padEnd(spanColumns))}  `;
  const parts = Object.keys(offsets) as UrnPartName[];
  const normal = printableInShort(normalized);
  return [
    ...foldBeside("", 0, printableInShort(text), columns, colours.bold),
    ...parts.flatMap((name) => {
      const span = offsets[name];
      if (span === null) return [];
      const shown = printableInShort(text.slice(...span)) || '""';
      const label = start(URN_PART_LABELS[name], span.join(".."));
      return foldBeside(label, indent, shown, columns, colours.cyan);
    }),
    ...foldBeside(start("normal form"), indent, normal, columns, colours.green),
    ...notes.flatMap((note) => fillBeside(start("note"), indent, note, columns)),
  ].join("\n");
}

const HELP = `
Text: each part with its indices start..end, in characters from 0, end not
included. An error points at the character in question.
JSON: { "line" or "argument": 1, "urn", "nid", "nss", "rComponent",
"qComponent", "fComponent", "offsets": { "nid": [start, end], … }, "normalized",
"readable", "usesReservedCharacters", "namespaceProblems": [{ "code", "message",
"section" }], "notes": [] }.
A URN may break a rule of its namespace, such as the check digit of an ISBN.
That is a note, not an error.`;

const EXAMPLES = `  $ urlhash urn parse urn:isbn:0-395-36341-1
  $ urlhash urn parse --syntax rfc8141 'urn:example:a/b?+r?=q#f'
  $ urlhash urn parse --ndjson < urns.txt | jq -r .nid | sort | uniq -c`;

export const PARSE: UrnCommand = {
  name: "parse",
  description: "Show the parts of URNs and where they are.",
  help: HELP,
  examples: EXAMPLES,
  evaluating:
    ({ syntax }, context) =>
    (text) => {
      const explained = explainUrn(text, { syntax });
      if ("error" in explained) return explained;
      return {
        isListed: false,
        toRecord: () => explained,
        toText: () => toText(text, explained, context),
      };
    },
};
