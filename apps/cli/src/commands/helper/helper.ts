import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerSquidHelper } from "./squid.ts";

const HELP = `
A helper reads requests from stdin and writes answers to stdout, until stdin
ends. The program that it helps starts it.

Exit status: 0, or 2 for a failure.

Example:
  $ urlhash help helper squid`;

export function registerHelper(program: Command, context: Context): void {
  const helper = program
    .command("helper")
    .summary("answer the requests of a proxy")
    .description("Check URLs for another program, in the protocol of its helpers.")
    .helpCommand(false)
    .addHelpText("after", HELP);
  registerSquidHelper(helper, context);
}
