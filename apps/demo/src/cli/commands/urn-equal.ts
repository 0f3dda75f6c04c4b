import type { Command } from "commander";
import { printableInShort } from "../../text/printable.ts";
import type { Context } from "../context.ts";
import type { Given } from "../evaluate.ts";
import { Failure } from "../failure.ts";
import { readGiven } from "../given.ts";
import { toJson } from "../json.ts";
import { fold, hang } from "../layout.ts";
import { type Comparison, compare } from "../urn/compare.ts";
import { addSyntaxOption, type SyntaxOptions } from "../urn/syntax-option.ts";

interface EqualOptions extends SyntaxOptions {
  readonly namespaces?: boolean;
  readonly json?: boolean;
}

const NOT_EQUAL = 1;
const NOT_A_URN = 4;

const HELP = `
Two arguments, or two lines of stdin; "-" stands for the lines of stdin.

URNs are equal when they differ only in the case of "urn", of the namespace and
of the digits of escapes; components (rfc8141) do not count. --namespaces adds
what registered namespaces allow: hyphens in an ISBN, either case in a UUID.
Text: the verdict, and both normal forms.
JSON: { "equal": true, "syntax", "namespaces": false, "urns": [{ "argument" or
"line": 1, "urn", "normalized" }, …] }; "equal" is null when one of them has an
"error" instead.

Exit status:
  0  equal                      2  failure: bad usage, other than two URNs
  1  not equal                  4  one or both are not URNs

Examples:
  $ urlhash urn equal URN:FOO:a%2c urn:foo:a%2C && echo the same
  $ urlhash urn equal --namespaces urn:isbn:0-395-36341-1 urn:isbn:0395363411`;

/** @throws {Failure} unless there are two. */
async function readTwo(urns: readonly string[], { io }: Context): Promise<[Given, Given]> {
  const given: Given[] = [];
  for await (const batch of readGiven(urns, { noun: "URN" }, io)) {
    // The octets of a line are good until the next batch.
    given.push(
      ...batch.map((one) => ({
        ...one,
        url: typeof one.url === "string" ? one.url : one.url.slice(),
      })),
    );
    if (given.length > 2) break;
  }
  const [a, b] = given;
  if (a === undefined || b === undefined || given.length > 2) {
    const count = ["none", "one", "two", "more"][Math.min(given.length, 3)];
    throw new Failure(`give two URNs to compare, not ${count}`);
  }
  return [a, b];
}

function verdict(
  { isEqual, isEqualInNamespace, nid }: Comparison,
  namespaces: boolean,
  colours: Context["colours"],
): string {
  if (isEqual) return colours.green("equal");
  if (!isEqualInNamespace) return colours.red("not equal");
  return namespaces
    ? `${colours.green("equal")} by the rules of the namespace "${nid}"`
    : `${colours.red("not equal")}, but equal by the rules of the namespace "${nid}" (--namespaces)`;
}

export function registerUrnEqual(urn: Command, context: Context): void {
  const { stdout, stderr, colours, columns, addStatus } = context;
  const command = urn
    .command("equal")
    .description("Whether two URNs are equivalent.")
    .argument("[urn...]", "two URNs");
  addSyntaxOption(command)
    .option("--namespaces", "use the rules of registered namespaces too")
    .option("--json", "write one JSON object")
    .addHelpText("after", HELP)
    .action(async (urns: string[], { syntax, namespaces = false, json }: EqualOptions) => {
      const comparison = compare(await readTwo(urns, context), syntax, columns);
      const equal = namespaces ? comparison.isEqualInNamespace : comparison.isEqual;
      if (equal === null) addStatus(NOT_A_URN);
      else if (!equal) addStatus(NOT_EQUAL);
      if (json) {
        const records = comparison.urns.map(({ record }) => record);
        await stdout.write(`${toJson({ equal, syntax, namespaces, urns: records })}\n`);
        return;
      }
      await stderr.write(comparison.urns.map(({ error }) => error).join(""));
      if (equal === null) return;
      const width = columns === null ? null : columns - 2;
      const forms = comparison.urns.flatMap(({ normalized }) =>
        hang("  ", 2, fold(printableInShort(normalized!), width), colours.dim),
      );
      await stdout.write(`${[verdict(comparison, namespaces, colours), ...forms].join("\n")}\n`);
    });
}
