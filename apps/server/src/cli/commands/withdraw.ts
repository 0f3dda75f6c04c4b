import { checkListName, withdraw } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, HOLD_HELP, TRUST_CLOCK } from "../options.ts";
import { readKeys, type SigningOptions, signNext } from "../publishing/signing.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, storeFilesToChange } from "../store-files.ts";

export function registerWithdraw(program: Command, context: Context): void {
  const command = program
    .command("withdraw")
    .description("publish a list as empty, so that clients stop blocking its entries")
    .argument("<NAME>", "a list")
    .addHelpText("after", HOLD_HELP)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command, ["key", "public-key", "lifetime"]).action(
    async (list: string, options: SigningOptions & StoreOptions) => {
      checkListName(list);
      const files = storeFilesToChange(options, context);
      await checkStore(files);
      const keys = await readKeys(files, options);
      const { manifest } = await signNext(list, files, keys, options, withdraw);
      context.print(`${list}: withdrawn, version ${manifest.version}`);
    },
  );
}
