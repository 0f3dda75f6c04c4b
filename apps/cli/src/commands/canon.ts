import { describeProblem } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { registerEvaluating } from "./evaluating-command.ts";

const HELP = `
Text: one canonical URL per line, as the specification says.
JSON: { "line" or "argument": 1, "url", "canonical" }.`;

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
  };
}

export function registerCanon(program: Command, context: Context): void {
  registerEvaluating(program, context, {
    name: "canon",
    summary: "write the canonical form of URLs",
    description: "Write the canonical form of URLs, one per line.",
    help: HELP,
    examples: EXAMPLES,
    evaluation: () => ({ evaluate }),
  });
}
