import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerUrnDisplay } from "./display.ts";
import { registerUrnEncode } from "./encode.ts";
import { registerUrnEqual } from "./equal.ts";
import { registerUrnFind } from "./find.ts";
import { registerUrnNormalize } from "./normalize.ts";
import { registerUrnParse } from "./parse.ts";

export function registerUrn(program: Command, context: Context): void {
  const urn = program
    .command("urn")
    .summary("parse, normalize, compare, encode, display and find URNs")
    .description("Work with URNs, by RFC 2141 or (--syntax rfc8141) by RFC 8141.")
    .helpCommand(false);
  registerUrnParse(urn, context);
  registerUrnNormalize(urn, context);
  registerUrnEqual(urn, context);
  registerUrnEncode(urn, context);
  registerUrnDisplay(urn, context);
  registerUrnFind(urn, context);
}
