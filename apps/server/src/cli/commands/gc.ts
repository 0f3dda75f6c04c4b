import { counted, formatCount } from "@x/explain/counted";
import type { Command } from "commander";
import { type CollectSettings, collectStore } from "../collect-store.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { checkDirectory, storeFiles } from "../store-files.ts";

export function registerGc(program: Command, { print }: Context): void {
  const command = program
    .command("gc")
    .description(
      "delete objects that no recent version needs; versions themselves are never deleted",
    )
    .option("--dry-run", "say what would be deleted, and delete nothing");
  addSettings(command, ["public-key", "keep", "window", "grace"]).action(
    async (options: CollectSettings & { readonly store: string }) => {
      const files = storeFiles(options.store);
      await checkDirectory(files);
      const { dryRun = false } = options;
      const { deleted, kept } = await collectStore(files, options);
      if (dryRun) for (const key of deleted) print(key);
      print(
        `${dryRun ? "Would delete" : "Deleted"} ${counted(deleted.length, "object", "objects")}, and kept ${formatCount(kept)}`,
      );
    },
  );
}
