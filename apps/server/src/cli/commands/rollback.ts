import { printable } from "@x/explain/printable";
import { checkListName, type Rollback, rollBack } from "@x/list-store";
import type { Command } from "commander";
import { gatherExceptions, withoutExceptions } from "../../publish/exceptions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { parseCount } from "../option-values.ts";
import { addSettings, HOLD_HELP, TRUST_CLOCK } from "../options.ts";
import { describeExceptions, describePublished } from "../publishing/describe-published.ts";
import { readExceptFiles } from "../publishing/except-file.ts";
import { readKeys, signNext } from "../publishing/signing.ts";
import type { Settings } from "../settings/schema.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { checkStore, type StoreFiles, storeFilesToChange } from "../store-files.ts";

interface Options extends SettingsOptions {
  readonly trustClock?: boolean;
}

/** Returns the store's exceptions and those for this list. */
async function exceptionsOf(list: string, { lists }: Settings, files: StoreFiles) {
  const own = Object.hasOwn(lists, list) ? lists[list]! : {};
  const { exceptions: exceptFiles = [], "never-block": neverBlockFiles = [] } = own;
  return [
    ...(await readExceptFiles(files)),
    ...(await readExceptFiles({ exceptFiles, neverBlockFiles })),
  ];
}

export function registerRollback(program: Command, context: Context): void {
  const { print, complain } = context;
  const command = program
    .command("rollback")
    .description("publish the entries of an older version again, from what the store has kept")
    .argument("<NAME>", "a list")
    .argument("<VERSION>", "the number of a version, as log shows it", parseCount)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command).addHelpText("after", HOLD_HELP);
  command.action(async (list: string, version: number, { trustClock, ...options }: Options) => {
    checkListName(list);
    const { settings } = await readSettings(options);
    const files = storeFilesToChange(settings, context);
    await checkStore(files);
    const keys = await readKeys(files);
    const exceptions = gatherExceptions(await exceptionsOf(list, settings, files));
    const edit: Rollback["edit"] = ({ fullHashes }) => {
      const { fullHashes: kept, ...applied } = withoutExceptions(exceptions, fullHashes);
      for (const line of describeExceptions(list, applied)) complain(printable(line));
      return { fullHashes: kept };
    };
    const published = await signNext(
      list,
      files,
      keys,
      { lifetime: settings.lifetime, trustClock },
      (renewal) => rollBack({ ...renewal, version, sha256, edit }),
    );
    print(
      published.outcome === "changed"
        ? `${describePublished(published)}, as in version ${version}`
        : `${describePublished(published)}, which are those of version ${version}`,
    );
  });
}
