import { counted, formatCount } from "@x/explain/counted";
import type { Command } from "commander";
import { type CollectSettings, collectStore } from "../collect-store.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, storeFilesToChange } from "../store-files.ts";

export function registerGc(program: Command, context: Context): void {
  const command = program
    .command("gc")
    .description(
      "delete objects that no recent version needs; versions themselves are never deleted",
    )
    .option("--dry-run", "say what would be deleted, and delete nothing");
  addSettings(command, ["public-key", "keep", "window", "grace"]).action(
    async (options: CollectSettings & StoreOptions) => {
      const files = storeFilesToChange(options, context);
      await checkStore(files);
      const { dryRun = false } = options;
      const { deleted, kept } = await collectStore(files, options);
      if (dryRun) for (const key of deleted) context.print(key);
      context.print(
        `${dryRun ? "Would delete" : "Deleted"} ${counted(deleted.length, "object", "objects")}, and kept ${formatCount(kept)}`,
      );
    },
  );
}
