import { Failure } from "@x/command-line";
import { compareUrns, type UrnComparison } from "@x/explain";
import { printable, printableInShort, printableJson } from "@x/explain/printable";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { inputsIn, readInput } from "../../input/arguments-or-lines.ts";
import { problemText } from "../../output/blocks.ts";
import { addJsonOption } from "../../output/format.ts";
import { fill, fold, hang } from "../../output/layout.ts";
import type { Input } from "../../output/results.ts";
import { addSyntaxOption, type SyntaxOptions, withCaret } from "./syntax.ts";

interface EqualOptions extends SyntaxOptions {
  readonly namespaces?: boolean;
  readonly json?: boolean;
}

const NOT_EQUAL = 1;
const NOT_A_URN = 4;

const HELP = `
Give two URNs as arguments, or on two lines of stdin; "-" reads the lines of
stdin.

URNs are equal when they differ only in the case of "urn", of the namespace and
of the digits of escapes; components (rfc8141) do not count. --namespaces adds
the rules of registered namespaces: hyphens in an ISBN, either case in a UUID.
Text: the verdict, the rule that decides, and both normal forms.
JSON: { "equal": true, "rule", "syntax", "namespaces": false, "urns": [{
"argument" or "line": 1, "urn", "normalized" }, …] }. "equal" is null when one
of them has an "error" instead.

Exit status:
  0  equal                      2  failure: bad usage, not two URNs
  1  not equal                  4  one or both are not URNs

Examples:
  $ urlhash urn equal URN:FOO:a%2c urn:foo:a%2C && echo the same
  $ urlhash urn equal --namespaces urn:isbn:0-395-36341-1 urn:isbn:0395363411`;

/** @throws {Failure} unless there are exactly two inputs. */
async function readTwo(urns: readonly string[], { io }: Context): Promise<[Input, Input]> {
  const given: Input[] = [];
  for await (const part of readInput({ args: urns, noun: "URN" }, io)) {
    for (const { place, text } of inputsIn(part)) {
      // The bytes of a line are valid only until the next block is read.
      given.push({ place, text: typeof text === "string" ? text : text.slice() });
    }
    if (given.length > 2) break;
  }
  const [a, b] = given;
  if (a === undefined || b === undefined || given.length > 2) {
    const count = ["none", "one", "two", "more"][Math.min(given.length, 3)];
    throw new Failure(`give two URNs to compare, not ${count}`);
  }
  return [a, b];
}

/** Lines for stderr about the inputs that are not URNs. */
function errorsOf(
  { urns }: UrnComparison,
  inputs: readonly Input[],
  columns: number | null,
): string {
  return urns
    .map((reading, i) => {
      if (!("error" in reading)) return "";
      return problemText(inputs[i]!.place, withCaret(reading, reading.urn, columns));
    })
    .join("");
}

function toText(
  { verdict, rule, urns, equal }: UrnComparison & { readonly equal: boolean },
  { colours, columns }: Pick<Context, "colours" | "columns">,
): string {
  const hint = verdict === "equal-in-namespace" && !equal ? " Use --namespaces to apply it." : "";
  const width = columns === null ? null : columns - 2;
  const words = `${printable(rule)}${hint}`.split(" ");
  const forms = urns.flatMap((reading) =>
    "error" in reading ? [] : fold(printableInShort(reading.normalized), width),
  );
  return [
    equal ? colours.green("equal") : colours.red("not equal"),
    ...hang("  ", 2, fill(words, width)),
    ...hang("  ", 2, forms, colours.dim),
    "",
  ].join("\n");
}

export function registerUrnEqual(urn: Command, context: Context): void {
  const { stdout, stderr, columns, addStatus } = context;
  const command = urn
    .command("equal")
    .description("Compare two URNs.")
    .argument("[urn...]", "two URNs");
  addJsonOption(
    addSyntaxOption(command).option("--namespaces", "apply the rules of registered namespaces too"),
  )
    .addHelpText("after", HELP)
    .action(async (args: string[], { syntax, namespaces = false, json }: EqualOptions) => {
      const inputs = await readTwo(args, context);
      const comparison = compareUrns(inputs[0].text, inputs[1].text, { syntax });
      const { verdict, rule, urns } = comparison;
      const isEqual = verdict === "equal" || (namespaces && verdict === "equal-in-namespace");
      const equal = verdict === "unknown" ? null : isEqual;
      if (equal === null) addStatus(NOT_A_URN);
      else if (!equal) addStatus(NOT_EQUAL);
      if (json) {
        const records = urns.map((reading, i) => ({ ...inputs[i]!.place, ...reading }));
        await stdout.write(
          `${printableJson({ equal, rule, syntax, namespaces, urns: records })}\n`,
        );
        return;
      }
      await stderr.write(errorsOf(comparison, inputs, columns));
      if (equal !== null) await stdout.write(toText({ ...comparison, equal }, context));
    });
}
