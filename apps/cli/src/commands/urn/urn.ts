import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerUrnCheck } from "./check.ts";
import { registerUrnEqual } from "./equal.ts";
import { registerUrnFind } from "./find.ts";
import { registerUrnNormalize, registerUrnParse } from "./parse.ts";

const HELP = `
RFC 2141 is the default, because many namespaces and programs were made for it.
RFC 8141 replaced it in 2017: choose it for URNs with components (?+, ?=, #) or
with "~" and "&". If only RFC 8141 allows a text, the error says so.

Exit status: 0 for success, 2 for a failure, 4 when some input is not a URN. The
status of "urn equal" is 1 when URNs differ.

Examples:
  $ urlhash urn parse urn:isbn:0-395-36341-1
  $ urlhash urn parse --syntax rfc8141 urn:example:foo~bar
  $ urlhash urn equal urn:ISBN:0395363411 urn:isbn:0-395-36341-1
  $ urlhash urn find --trim < mail.txt
  $ urlhash urn check --namespace nbn --column id records.csv`;

export function registerUrn(program: Command, context: Context): void {
  const urn = program
    .command("urn")
    .summary("parse, normalize, compare, find and check URNs")
    .description("Work with URNs, according to RFC 2141 or (--syntax rfc8141) RFC 8141.")
    .addHelpText("after", HELP);
  registerUrnParse(urn, context);
  registerUrnNormalize(urn, context);
  registerUrnEqual(urn, context);
  registerUrnFind(urn, context);
  registerUrnCheck(urn, context);
}
