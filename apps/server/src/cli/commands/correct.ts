import { printable } from "@x/explain/printable";
import { checkListName, type Rollback, retire, rollBack, withdraw } from "@x/list-store";
import type { Command } from "commander";
import { gatherExceptions, withoutExceptions } from "../../publish/exceptions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { addSettings, parseCount, TRUST_CLOCK } from "../options.ts";
import { exceptionsOf } from "../publishing/except-file.ts";
import { describeExceptions, describePublished } from "../publishing/messages.ts";
import type { Settings } from "../settings/schema.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { readKeys, signNext } from "../signing.ts";
import { openStoreToChange, type StoreFiles } from "../store-files.ts";

/* The commands that make a version without sources: rollback, withdraw and retire. */

const HOLD_HELP = `
From then on, publish leaves the list as it is, whatever its sources contain.
When the sources are good again, publish it once with --resume.`;

const RETIRE_HELP = `
The list is withdrawn for good: it stays empty, and never expires. Nothing can
be published under its name again, so publish its entries under another name.
Remove the list from your settings.`;

interface Options extends SettingsOptions {
  readonly trustClock?: boolean;
}

/** Opens the store for a change of one list. `sign` makes the next version. */
async function openList(
  list: string,
  { trustClock, ...options }: Options,
  context: Context,
): Promise<{
  readonly settings: Settings;
  readonly files: StoreFiles;
  readonly sign: (make: Parameters<typeof signNext>[4]) => ReturnType<typeof signNext>;
}> {
  checkListName(list);
  const { settings, files } = await openStoreToChange(options, context);
  const keys = await readKeys(files);
  const signing = { lifetime: settings.lifetime, trustClock };
  return { settings, files, sign: (make) => signNext(list, files, keys, signing, make) };
}

export function registerRollback(program: Command, context: Context): void {
  const { print, complain } = context;
  const command = program
    .command("rollback")
    .summary("publish the entries of an older version again")
    .description("publish the entries of an older version again, from what the store has kept")
    .argument("<NAME>", "a list")
    .argument("<VERSION>", "the number of a version, as log shows it", parseCount)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command).addHelpText("after", HOLD_HELP);
  command.action(async (list: string, version: number, options: Options) => {
    const { settings, files, sign } = await openList(list, options, context);
    const exceptions = gatherExceptions(await exceptionsOf(list, settings, files));
    const edit: Rollback["edit"] = ({ fullHashes }) => {
      const { fullHashes: kept, ...applied } = withoutExceptions(exceptions, fullHashes);
      for (const line of describeExceptions(list, applied)) complain(printable(line));
      return { fullHashes: kept };
    };
    const published = await sign((renewal) => rollBack({ ...renewal, version, sha256, edit }));
    print(
      published.outcome === "changed"
        ? `${describePublished(published)}, as in version ${version}`
        : `${describePublished(published)}, which are those of version ${version}`,
    );
  });
}

export function registerWithdraw(program: Command, context: Context): void {
  const command = program
    .command("withdraw")
    .summary("publish a list as empty")
    .description("publish a list as empty, so that clients stop blocking its entries")
    .argument("<NAME>", "a list")
    .addHelpText("after", HOLD_HELP)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command).action(async (list: string, options: Options) => {
    const { sign } = await openList(list, options, context);
    const { manifest } = await sign(withdraw);
    context.print(`${list}: withdrawn, version ${manifest.version}`);
  });
}

export function registerRetire(program: Command, context: Context): void {
  const command = program
    .command("retire")
    .summary("end a list for good")
    .description("end a list for good, so that it never expires and needs no publisher")
    .argument("<NAME>", "a list")
    .addHelpText("after", RETIRE_HELP)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command).action(async (list: string, options: Options) => {
    const { sign } = await openList(list, options, context);
    const { manifest } = await sign(retire);
    context.print(`${list}: retired, version ${manifest.version}`);
  });
}
