import { Argument, type Command } from "commander";
import { BLOCK_MESSAGES } from "../../serve/pages/blocked-page.ts";
import type { Context } from "../context.ts";
import { type OperatorOptions, operatorOf } from "../operator-options.ts";
import { addSettingsWithoutStore } from "../options.ts";

export function registerBlockedPage(program: Command, { io }: Context): void {
  const command = program
    .command("blocked-page")
    .description("print what another program shows to people it blocks")
    .addArgument(new Argument("<program>", "which program").choices(Object.keys(BLOCK_MESSAGES)));
  addSettingsWithoutStore(command, [
    "operator-name",
    "operator-contact",
    "operator-text",
  ]).addHelpText(
    "after",
    `
squid   an error page, for deny_info
nginx   a page, for error_page
rspamd  a rule for local.d/force_actions.conf, which rejects mail with a listed link`,
  );
  command.action((name: string, options: OperatorOptions) => {
    io.stdout.write(BLOCK_MESSAGES[name]!(operatorOf(options)));
  });
}
