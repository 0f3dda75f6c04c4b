import { checkListName, withdraw } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, HOLD_HELP, TRUST_CLOCK } from "../options.ts";
import { readKeys, signNext } from "../publishing/signing.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { checkStore, storeFilesToChange } from "../store-files.ts";

export function registerWithdraw(program: Command, context: Context): void {
  const command = program
    .command("withdraw")
    .description("publish a list as empty, so that clients stop blocking its entries")
    .argument("<NAME>", "a list")
    .addHelpText("after", HOLD_HELP)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command).action(
    async (
      list: string,
      { trustClock, ...options }: SettingsOptions & { readonly trustClock?: boolean },
    ) => {
      checkListName(list);
      const { settings } = await readSettings(options);
      const files = storeFilesToChange(settings, context);
      await checkStore(files);
      const keys = await readKeys(files);
      const { manifest } = await signNext(
        list,
        files,
        keys,
        { lifetime: settings.lifetime, trustClock },
        withdraw,
      );
      context.print(`${list}: withdrawn, version ${manifest.version}`);
    },
  );
}
