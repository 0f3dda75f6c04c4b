import { checkListName, retire } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, TRUST_CLOCK } from "../options.ts";
import { readKeys } from "../publishing/signing.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { checkStore, rememberPublished, storedList, storeFilesToChange } from "../store-files.ts";

const HELP = `
The list is withdrawn for good: it stays empty, and never expires. Nothing can be
published under its name again, so publish its entries under another name. Remove
the list from your settings.`;

export function registerRetire(program: Command, context: Context): void {
  const command = program
    .command("retire")
    .description("end a list for good, so that it never expires and needs no publisher")
    .argument("<NAME>", "a list")
    .addHelpText("after", HELP)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command).action(
    async (list: string, options: SettingsOptions & { readonly trustClock?: boolean }) => {
      checkListName(list);
      const files = storeFilesToChange((await readSettings(options)).settings, context);
      await checkStore(files);
      const { signer, publicKeys } = await readKeys(files);
      const stored = await storedList(files, list, publicKeys);
      const trustsClock = options.trustClock ?? false;
      const retired = await retire({ ...stored, signer, trustsClock });
      await rememberPublished(files, publicKeys, retired);
      context.print(`${list}: retired, version ${retired.manifest.version}`);
    },
  );
}
