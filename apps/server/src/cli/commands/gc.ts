import type { Command } from "commander";
import { collectGarbage } from "../../store/collect-garbage.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { checkDirectory, readPublicKeys, storeFiles } from "../store-files.ts";

interface Options {
  readonly store: string;
  readonly publicKey?: string;
  readonly keep: number;
  readonly window: number;
  readonly grace: number;
  readonly dryRun?: boolean;
}

export function registerGc(program: Command, { print }: Context): void {
  const command = program
    .command("gc")
    .description(
      "delete objects that no recent version needs; versions themselves are never deleted",
    )
    .option("--dry-run", "say what would be deleted, and delete nothing");
  addSettings(command, ["public-key", "keep", "window", "grace"]).action(
    async (options: Options) => {
      const files = storeFiles(options.store);
      await checkDirectory(files);
      const { keep, window, grace, dryRun = false } = options;
      const { deleted, kept } = await collectGarbage({
        storage: files.storage,
        publicKeys: await readPublicKeys(options.publicKey ?? files.publicKeyFile),
        keep: Math.max(1, keep),
        keepChanges: window,
        grace,
        dryRun,
      });
      if (dryRun) for (const key of deleted) print(key);
      print(`${dryRun ? "Would delete" : "Deleted"} ${deleted.length} objects, and kept ${kept}`);
    },
  );
}
