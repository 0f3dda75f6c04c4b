import { Failure } from "@x/command-line";
import { counted, formatCount } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { collectGarbage, type Garbage, listNames, upgradeList } from "@x/list-store";
import type { Command } from "commander";
import { rememberSeen, seenVersion } from "../../storage/seen-versions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { describeError, isSystemError, systemProblem } from "../errors.ts";
import { addSettings } from "../options.ts";
import type { Settings } from "../settings/schema.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import {
  type PublisherKeys,
  readKeys,
  readPublicKeys,
  type SigningOptions,
  storedList,
} from "../signing.ts";
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

/**
 * Continues all lists of an older format in today's format, and says so. Returns the problems of lists that cannot be
 * upgraded, for example because another publisher signs them.
 */
export async function upgradeLists(
  files: StoreFiles,
  { signer, publicKeys }: PublisherKeys,
  { trustClock: trustsClock = false }: Pick<SigningOptions, "trustClock">,
  { print }: Pick<Context, "print">,
): Promise<string[]> {
  const problems: string[] = [];
  for (const list of await listNames(files.storage)) {
    const stored = await storedList(files, list, publicKeys);
    try {
      const entry = await upgradeList({ ...stored, signer, trustsClock, sha256 });
      if (entry === null) continue;
      await rememberSeen(files.seenFile, new Map([[list, seenVersion(entry)]]));
      const { version, expires } = entry.manifest;
      const expiry =
        expires > Date.now() ? "" : `, but it expired at ${new Date(expires).toISOString()}`;
      print(`${list}: version ${version} continues the list in the new format${expiry}`, {
        list,
        version,
      });
    } catch (error) {
      const problem = describeError(error);
      if (problem === null) throw error;
      problems.push(`${list}: ${problem}`);
    }
  }
  return problems;
}

export function registerUpgradeStore(program: Command, context: Context): void {
  const command = program
    .command("upgrade-store")
    .summary("continue lists of version 0.2 in the new format of stores")
    .description("continue the lists of version 0.2 in the new format of stores");
  addSettings(command).action(async (options: SettingsOptions) => {
    const { files } = await openStoreToChange(options, context);
    const problems = await upgradeLists(files, await readKeys(files), {}, context);
    if (problems.length > 0) throw new Failure(problems.join("\n"));
  });
}
