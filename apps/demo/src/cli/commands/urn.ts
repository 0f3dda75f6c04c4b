import type { Command } from "commander";
import type { Context } from "../context.ts";
import { registerUrnDisplay } from "./urn-display.ts";
import { registerUrnEncode } from "./urn-encode.ts";
import { registerUrnEqual } from "./urn-equal.ts";
import { registerUrnFind } from "./urn-find.ts";
import { registerUrnNormalize } from "./urn-normalize.ts";
import { registerUrnParse } from "./urn-parse.ts";

export function registerUrn(program: Command, context: Context): void {
  const urn = program
    .command("urn")
    .summary("parse, normalize, compare, make, show and find URNs")
    .description("Work with URNs, by RFC 2141 or (--syntax rfc8141) by RFC 8141.")
    .helpCommand(false);
  registerUrnParse(urn, context);
  registerUrnNormalize(urn, context);
  registerUrnEqual(urn, context);
  registerUrnEncode(urn, context);
  registerUrnDisplay(urn, context);
  registerUrnFind(urn, context);
}
