import { checkListName, withdraw } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, HOLD_HELP, TRUST_CLOCK } from "../options.ts";
import type { StoreOptions } from "../store-address.ts";
import {
  checkStore,
  readPublicKeys,
  readSigner,
  rememberPublished,
  seenOf,
  storeFilesToChange,
} from "../store-files.ts";

interface Options extends StoreOptions {
  readonly key?: string;
  readonly publicKey?: string;
  readonly lifetime: number;
  readonly trustClock?: boolean;
}

export function registerWithdraw(program: Command, context: Context): void {
  const command = program
    .command("withdraw")
    .description("publish a list as empty, so that clients stop blocking its entries")
    .argument("<NAME>", "a list")
    .addHelpText("after", HOLD_HELP)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command, ["key", "public-key", "lifetime"]).action(
    async (list: string, options: Options) => {
      checkListName(list);
      const files = storeFilesToChange(options, context);
      await checkStore(files);
      const signer = await readSigner(options.key ?? files.keyFile);
      const publicKeys = await readPublicKeys(options.publicKey ?? files.publicKeyFile);
      const seen = await seenOf(files, list);
      const published = await withdraw({
        storage: files.storage,
        list,
        signer,
        publicKeys,
        lifetime: options.lifetime,
        trustsClock: options.trustClock ?? false,
        seen,
      });
      await rememberPublished(files, publicKeys, published);
      context.print(`${list}: withdrawn, version ${published.manifest.version}`);
    },
  );
}
