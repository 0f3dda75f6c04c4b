import { printable } from "@x/explain/printable";
import { checkListName, type Rollback, rollBack } from "@x/list-store";
import type { Command } from "commander";
import { gatherExceptions, withoutExceptions } from "../../publish/exceptions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { parseCount } from "../option-values.ts";
import { addSettings, HOLD_HELP, TRUST_CLOCK } from "../options.ts";
import { describeExceptions, describePublished } from "../publishing/describe-published.ts";
import { readExceptFiles, readStoreExceptions } from "../publishing/except-file.ts";
import { listsInFile } from "../publishing/publisher-file.ts";
import { readKeys, type SigningOptions, signNext } from "../publishing/signing.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, type StoreFiles, storeFilesToChange } from "../store-files.ts";

interface Options extends SigningOptions, StoreOptions {
  readonly except?: string;
  readonly neverBlock?: string;
  readonly config?: string;
}

/** Returns the store's exceptions and the exceptions for this list in the file of lists (`--config`). */
async function exceptionsOf(list: string, files: StoreFiles, options: Options) {
  const inFile = options.config === undefined ? [] : await listsInFile(options.config);
  const own = inFile.find((each) => each.list === list);
  const ofList = own === undefined ? [] : await readExceptFiles(own);
  return [...(await readStoreExceptions(files, options)), ...ofList];
}

export function registerRollback(program: Command, context: Context): void {
  const { print, complain } = context;
  const command = program
    .command("rollback")
    .description("publish the entries of an older version again, from what the store has kept")
    .argument("<NAME>", "a list")
    .argument("<VERSION>", "the number of a version, as log shows it", parseCount)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command, [
    ...(["key", "public-key", "lifetime", "except", "never-block", "config"] as const),
  ]).addHelpText("after", HOLD_HELP);
  command.action(async (list: string, version: number, options: Options) => {
    checkListName(list);
    const files = storeFilesToChange(options, context);
    await checkStore(files);
    const keys = await readKeys(files, options);
    const exceptions = gatherExceptions(await exceptionsOf(list, files, options));
    const edit: Rollback["edit"] = ({ fullHashes }) => {
      const { fullHashes: kept, ...applied } = withoutExceptions(exceptions, fullHashes);
      for (const line of describeExceptions(list, applied)) complain(printable(line));
      return { fullHashes: kept };
    };
    const published = await signNext(list, files, keys, options, (renewal) =>
      rollBack({ ...renewal, version, sha256, edit }),
    );
    print(
      published.outcome === "changed"
        ? `${describePublished(published)}, as in version ${version}`
        : `${describePublished(published)}, which are those of version ${version}`,
    );
  });
}
