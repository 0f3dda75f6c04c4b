import { Argument, type Command } from "commander";
import { BLOCK_MESSAGES } from "../../serve/pages/blocked-page.ts";
import { operatorFrom } from "../../serve/pages/operator.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";

export function registerBlockedPage(program: Command, { io }: Context): void {
  const command = program
    .command("blocked-page")
    .description("print what another program shows to people it blocks")
    .addArgument(new Argument("<program>", "which program").choices(Object.keys(BLOCK_MESSAGES)));
  addSettings(command).addHelpText(
    "after",
    `
squid   an error page, for deny_info
nginx   a page, for error_page
rspamd  a rule for local.d/force_actions.conf, which rejects mail with a listed link`,
  );
  command.action(async (name: string, options: SettingsOptions) => {
    const { settings } = await readSettings(options);
    io.stdout.write(BLOCK_MESSAGES[name]!(operatorFrom(settings.operator)));
  });
}
