import { explainUrn, URN_PART_LABELS, type UrnExplanation, type UrnPartName } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import { formatUrn, normalizeUrn, tryParseUrn, urnProblem } from "@x/urn";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { onText } from "../../evaluate.ts";
import { fillBeside, foldBeside } from "../../output/layout.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";
import {
  type EvaluatingCommand,
  type EvaluatingOptions,
  registerEvaluating,
} from "../evaluating-command.ts";
import { addSyntaxOption, type SyntaxOptions, withCaret } from "./syntax.ts";

const PARSE_HELP = `
Text: each part with its indices start..end, in characters from 0, end not
included. An error points at the character in question.
JSON: { "line" or "argument": 1, "urn", "nid", "nss", "rComponent",
"qComponent", "fComponent", "offsets": { "nid": [start, end], … },
"normalized", "readable", "usesReservedCharacters", "namespaceProblems":
[{ "code", "message", "section" }], "notes": [] }.
A URN may break a rule of its namespace, such as the check digit of an ISBN.
That is a note, not an error.`;

const PARSE_EXAMPLES = `  $ urlhash urn parse urn:isbn:0-395-36341-1
  $ urlhash urn parse --syntax rfc8141 'urn:example:a/b?+r?=q#f'
  $ urlhash urn parse --ndjson < urns.txt | jq -r .nid | sort | uniq -c`;

const NORMALIZE_HELP = `
"urn" and the namespace become lower case, and the digits of escapes upper case.
Nothing else changes, and nothing is decoded. Two URNs are equivalent when their
normal forms are equal apart from components (rfc8141).
Text: one normal form per line.
JSON: { "line" or "argument": 1, "urn", "normalized" }.`;

const NORMALIZE_EXAMPLES = `  $ urlhash urn normalize URN:FOO:a123%2c456
  $ urlhash urn normalize < urns.txt | sort -u`;

type UrnOptions = EvaluatingOptions & SyntaxOptions;

/** Registers a command that evaluates URNs one by one. */
function registerUrnCommand(
  urn: Command,
  context: Context,
  texts: Pick<EvaluatingCommand<UrnOptions>, "name" | "description" | "help" | "examples">,
  evaluate: (text: string, options: UrnOptions) => Finding | RefusedInput,
): void {
  registerEvaluating<UrnOptions>(urn, context, {
    noun: "URN",
    ...texts,
    addOptions: addSyntaxOption,
    evaluation: (options) => ({
      evaluate: onText((text) => {
        const result = evaluate(text, options);
        return "error" in result ? withCaret(result, text, context.columns) : result;
      }),
    }),
  });
}

export function registerUrnParse(urn: Command, context: Context): void {
  const texts = {
    name: "parse",
    description: "Show the parts of URNs and where they are.",
    help: PARSE_HELP,
    examples: PARSE_EXAMPLES,
  };
  registerUrnCommand(urn, context, texts, (text, { syntax }) => {
    const explained = explainUrn(text, { syntax });
    if ("error" in explained) return explained;
    return {
      isListed: false,
      toRecord: () => explained,
      toText: () => toText(text, explained, context),
    };
  });
}

export function registerUrnNormalize(urn: Command, context: Context): void {
  const texts = {
    name: "normalize",
    description: "Write URNs in their normal form.",
    help: NORMALIZE_HELP,
    examples: NORMALIZE_EXAMPLES,
  };
  registerUrnCommand(urn, context, texts, (text, { syntax }) => {
    const parsed = tryParseUrn(text, { syntax });
    if (parsed === null) return { error: urnProblem(text, { syntax })! };
    const normalized = formatUrn(normalizeUrn(parsed), { syntax });
    return { isListed: false, toRecord: () => ({ normalized }), toText: () => normalized };
  });
}

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
