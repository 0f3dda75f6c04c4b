import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerSquidHelper } from "./squid.ts";

const HELP = `
The program that needs a helper starts it. The helper reads requests from stdin
and writes answers to stdout, until stdin ends.

Exit status: 0 on success, 2 on failure.

Example:
  $ urlhash help helper squid`;

export function registerHelper(program: Command, context: Context): void {
  const helper = program
    .command("helper")
    .summary("answer the requests of a proxy")
    .description("Check URLs for another program, in the protocol that it uses for its helpers.")
    .helpCommand(false)
    .addHelpText("after", HELP);
  registerSquidHelper(helper, context);
}
