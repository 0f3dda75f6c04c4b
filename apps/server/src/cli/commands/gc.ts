import { counted, formatCount } from "@x/explain/counted";
import type { Command } from "commander";
import { collectStore } from "../collect-store.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { checkStore, storeFilesToChange } from "../store-files.ts";

export function registerGc(program: Command, context: Context): void {
  const command = program
    .command("gc")
    .description(
      "delete objects that no recent version needs; versions themselves are never deleted",
    )
    .option("--dry-run", "say what would be deleted, and delete nothing");
  addSettings(command).action(
    async ({ dryRun = false, ...options }: SettingsOptions & { readonly dryRun?: boolean }) => {
      const { settings } = await readSettings(options);
      const files = storeFilesToChange(settings, context);
      await checkStore(files);
      const { deleted, kept } = await collectStore(files, settings.keep, { dryRun });
      if (dryRun) for (const key of deleted) context.print(key);
      context.print(
        `${dryRun ? "Would delete" : "Deleted"} ${counted(deleted.length, "object", "objects")}, and kept ${formatCount(kept)}`,
      );
    },
  );
}
