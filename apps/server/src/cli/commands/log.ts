import { Failure } from "@x/command-line";
import { checkListName, listNames, readNewest, readPrevious } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, parseCount } from "../options.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, readPublicKeys, storedList, storeFiles } from "../store-files.ts";

interface Options extends StoreOptions {
  readonly publicKey?: string;
  readonly number: number;
}

export function registerLog(program: Command, context: Context): void {
  const command = program
    .command("log")
    .description("show the versions of a list, or of all lists, newest first")
    .argument("[NAME]", "a list")
    .option("-n, --number <versions>", "how many versions of each list to show", parseCount, 20);
  addSettings(command, ["public-key"]).action(
    async (name: string | undefined, options: Options) => {
      if (name !== undefined) checkListName(name);
      const files = storeFiles(options, context);
      await checkStore(files);
      const publicKeys = await readPublicKeys(options.publicKey ?? files.publicKeyFile);
      const names = name === undefined ? await listNames(files.storage) : [name];
      if (names.length === 0)
        throw new Failure(`The store ${files.address.shown} has no lists yet`);
      for (const list of names) {
        let entry = await readNewest(await storedList(files, list, publicKeys));
        if (entry === null) throw new Failure(`The store has no list ${list}`);
        for (let left = options.number; entry !== null && left > 0; left--) {
          const { version, issued, contents, change, withdrawn, restores } = entry.manifest;
          const what = withdrawn
            ? "withdrawn"
            : change === null
              ? "signed again"
              : `+${change.addedEntries} -${change.removedEntries}`;
          const columns = [
            list,
            `v${version}`,
            new Date(issued).toISOString(),
            contents.fullHashes,
            what,
          ];
          if (restores !== undefined && change !== null)
            columns.push(`rolled back to v${restores}`);
          context.print(columns.join("\t"));
          entry = await readPrevious(files.storage, entry);
        }
      }
    },
  );
}
