import { describeProblem } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import type { Refusal } from "@x/explain";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { ROWS_HELP, type Row } from "../output/format.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { registerEvaluating } from "./evaluating-command.ts";

const HELP = `
Text: one canonical URL per line, as the specification says.
JSON: { "line" or "argument": 1, "url", "canonical" }.
TSV: one row for each line of input, including blank lines, without a header:
canonical and problem, of which at most one is not empty.
${ROWS_HELP}`;

const COLUMNS = ["canonical", "problem"];

const EXAMPLES = `  $ urlhash canon HTTP://EXAMPLE.com:80/%2561/../b
  $ urlhash canon < urls.txt | sort -u`;

function evaluate(url: string | Uint8Array): Finding | RefusedInput {
  const { specification, problem } = readUrl(url, "specification");
  if (specification === null || problem !== null) {
    return { error: describeProblem(url, problem!) };
  }
  const { href } = specification;
  return {
    isListed: false,
    toRecord: () => ({ canonical: href }),
    toText: () => href,
    toRow: () => [href, ""],
  };
}

/** Returns the row for a blank line or a refused input. */
function rowWithout(refusal: Refusal | null): Row {
  return ["", refusal === null ? "" : refusal.error.code];
}

export function registerCanon(program: Command, context: Context): void {
  registerEvaluating(program, context, {
    name: "canon",
    summary: "write the canonical form of URLs",
    description: "Write the canonical form of URLs, one per line.",
    help: HELP,
    examples: EXAMPLES,
    columns: COLUMNS,
    evaluation: () => ({ evaluate, rowWithout }),
  });
}
