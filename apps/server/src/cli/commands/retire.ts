import { checkListName, retire } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, TRUST_CLOCK } from "../options.ts";
import { readKeys, type SigningOptions } from "../publishing/signing.ts";
import type { StoreOptions } from "../store-address.ts";
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
  addSettings(command, ["key", "public-key"]).action(
    async (list: string, options: Omit<SigningOptions, "lifetime"> & StoreOptions) => {
      checkListName(list);
      const files = storeFilesToChange(options, context);
      await checkStore(files);
      const { signer, publicKeys } = await readKeys(files, options);
      const stored = await storedList(files, list, publicKeys);
      const trustsClock = options.trustClock ?? false;
      const retired = await retire({ ...stored, signer, trustsClock });
      await rememberPublished(files, publicKeys, retired);
      context.print(`${list}: retired, version ${retired.manifest.version}`);
    },
  );
}
