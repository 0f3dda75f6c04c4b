import { counted, formatCount } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { collectGarbage, type Garbage } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { isSystemError, systemProblem } from "../errors.ts";
import { addSettings } from "../options.ts";
import type { Settings } from "../settings/schema.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { readPublicKeys } from "../signing.ts";
import { openStoreToChange, type StoreFiles } from "../store-files.ts";

/** Deletes the objects in a store that no recent version needs. */
async function collectStore(
  { storage, publicKeyFile }: StoreFiles,
  { versions: keep, differences: keepChanges, unused: grace }: Settings["keep"],
  { dryRun }: { readonly dryRun: boolean },
): Promise<Garbage> {
  const publicKeys = await readPublicKeys(publicKeyFile);
  return collectGarbage({ storage, publicKeys, keep, keepChanges, grace, dryRun });
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Returns a function that collects garbage at most once a day. If garbage collection fails, the function reports the
 * problem, and tries again at the next call.
 */
export function dailyCollection(
  files: StoreFiles,
  keep: Settings["keep"],
  now: () => number = Date.now,
): (context: Pick<Context, "print" | "complain">) => Promise<void> {
  let last: number | null = null;
  return async ({ print, complain }) => {
    if (last !== null && now() - last < DAY) return;
    try {
      const { deleted } = await collectStore(files, keep, { dryRun: false });
      last = now();
      if (deleted.length > 0)
        print(`Deleted ${counted(deleted.length, "object", "objects")} that are no longer needed`);
    } catch (error) {
      const problem = isSystemError(error) ? systemProblem(error) : (error as Error).message;
      complain(printable(`garbage collection failed: ${problem}`), { isFailure: true });
    }
  };
}

export function registerGc(program: Command, context: Context): void {
  const command = program
    .command("gc")
    .summary("delete objects that no recent version needs")
    .description(
      "delete objects that no recent version needs; versions themselves are never deleted",
    )
    .option("--dry-run", "say what would be deleted, and delete nothing");
  addSettings(command).action(
    async ({ dryRun = false, ...options }: SettingsOptions & { readonly dryRun?: boolean }) => {
      const { settings, files } = await openStoreToChange(options, context);
      const { deleted, kept } = await collectStore(files, settings.keep, { dryRun });
      if (dryRun) for (const key of deleted) context.print(key);
      context.print(
        `${dryRun ? "Would delete" : "Deleted"} ${counted(deleted.length, "object", "objects")}, and ${dryRun ? "keep" : "kept"} ${formatCount(kept)}`,
      );
    },
  );
}
