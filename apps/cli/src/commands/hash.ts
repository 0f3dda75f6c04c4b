import { describeProblem } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { expressionRecord } from "@x/explain";
import { urlHashes } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { type EvaluatingOptions, registerEvaluating } from "./evaluating-command.ts";
import { addBytesOption } from "./options.ts";

interface HashOptions extends EvaluatingOptions {
  readonly bytes: number;
}

const HELP = `
Text: the canonical URL, then one line for each expression with its hash prefix.
JSON: { "line" or "argument": 1, "url", "canonical", "expressions": [{
"expression", "hash", "prefix" }] }.`;

const EXAMPLES = `  $ urlhash hash http://a.b.c/1/2.html?param=1
  $ urlhash hash --bytes 32 example.com
  $ urlhash hash --ndjson < urls.txt | jq -r '.expressions[]?.prefix'`;

function hashing(prefixBytes: number, { colours }: Context) {
  return (input: string | Uint8Array): Finding | RefusedInput => {
    const { specification, problem } = readUrl(input, "specification");
    if (problem !== null) return { error: describeProblem(input, problem) };
    const url = specification!;
    const hashes = urlHashes(url, { prefixBytes });
    return {
      isListed: false,
      toRecord: () => ({ canonical: url.href, expressions: hashes.map(expressionRecord) }),
      toText: () =>
        [
          colours.bold(url.href),
          ...hashes.map(
            ({ expression, prefix }) => `  ${colours.cyan(toHex(prefix))}  ${expression}`,
          ),
        ].join("\n"),
    };
  };
}

export function registerHash(program: Command, context: Context): void {
  registerEvaluating<HashOptions>(program, context, {
    name: "hash",
    summary: "write the expressions of URLs and their hash prefixes",
    description: "Write the suffix/prefix expressions of URLs with their SHA-256 hash prefixes.",
    help: HELP,
    examples: EXAMPLES,
    addOptions: addBytesOption,
    evaluation: ({ bytes }) => ({ evaluate: hashing(bytes, context) }),
  });
}
