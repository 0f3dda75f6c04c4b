import { Failure } from "@x/command-line";
import { listNames, upgradeList } from "@x/list-store";
import type { Command } from "commander";
import { rememberSeen, seenVersion } from "../../storage/seen-versions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { describeError } from "../errors.ts";
import { addSettings } from "../options.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { type PublisherKeys, readKeys, type SigningOptions, storedList } from "../signing.ts";
import { openStoreToChange, type StoreFiles } from "../store-files.ts";

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
