import { Failure } from "@x/command-line";
import { changeFile } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import {
  checkListName,
  findFullHashes,
  listNames,
  loadList,
  type Rollback,
  retire,
  rollBack,
  withdraw,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import type { Command } from "commander";
import {
  type Exception,
  expressionsOf,
  gatherExceptions,
  withoutExceptions,
} from "../../publish/exceptions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { addSettings, parseCount, TRUST_CLOCK } from "../options.ts";
import { exceptionsIn, exceptionsOf, readExceptText } from "../publishing/except-file.ts";
import { describeExceptions, describePublished } from "../publishing/messages.ts";
import type { Settings } from "../settings/schema.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { readKeys, readPublicKeys, signNext, storedList } from "../signing.ts";
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

interface ExceptFile {
  readonly file: string;
  readonly text: string;
  readonly exceptions: readonly Exception[];
}

/** Reads the first file of exceptions, which `except add` changes. */
async function readFileOf({ exceptFiles }: StoreFiles): Promise<ExceptFile> {
  const [file] = exceptFiles;
  if (file === undefined) throw new Failure("The setting exceptions names no file");
  const text = await readExceptText(file);
  return { file, text, exceptions: await exceptionsIn(text, file) };
}

/** Parses an argument, which must contain exactly one exception. */
async function exceptionIn(given: string): Promise<Exception> {
  const [exception] = await exceptionsIn(given, null);
  if (exception !== undefined && !given.includes("\n")) return exception;
  throw new Failure(`Expected a URL or a host, not ${JSON.stringify(given)}`);
}

/**
 * Prints the published entries that block the URL of an exception, and says whether the exceptions will leave them out.
 */
async function sayWhatBlocks(
  given: string,
  exceptions: readonly Exception[],
  files: StoreFiles,
  { print }: Context,
): Promise<void> {
  const { expression } = await exceptionIn(given);
  const excepted = new Set<string>(exceptions.map((exception) => exception.expression));
  const byHash = new Map([...expressionsOf(expression)].map((text) => [fullHash(text), text]));
  const publicKeys = await readPublicKeys(files.publicKeyFile);
  let isBlocked = false;
  for (const list of await listNames(files.storage)) {
    const stored = await storedList(files, list, publicKeys);
    const loaded = await loadList({ ...stored, sha256, allowsExpired: true });
    if (loaded === null) continue;
    const { version, withdrawn, restores } = loaded.entry.manifest;
    for (const [hash, entry] of byHash) {
      if ((await findFullHashes(files.storage, loaded, hash)).length === 0) continue;
      isBlocked = true;
      const next =
        restores === undefined || withdrawn ? "the next publish" : `rollback ${list} ${version}`;
      const what = excepted.has(entry)
        ? `${next} leaves it out`
        : `it still blocks ${expression}, unless you add it, too`;
      print(printable(`${list} has ${entry} in version ${version}: ${what}`));
    }
  }
  if (!isBlocked) print(printable(`No list in the store has an entry that blocks ${expression}`));
}

export function registerExcept(program: Command, context: Context): void {
  const { print } = context;
  const group = program
    .command("except")
    .description("manage exceptions: entries that are never published");

  addSettings(
    group
      .command("add")
      .description("add exceptions, and name the published entries that block them now")
      .argument("<URL...>", "a URL, a host or an expression"),
  ).action(async (given: string[], options: SettingsOptions) => {
    const { files } = await openStoreToChange(options, context);
    const { file, text, exceptions } = await readFileOf(files);
    const known = new Set<string>(exceptions.map(({ expression }) => expression));
    const added: Exception[] = [];
    for (const each of given) {
      const exception = await exceptionIn(each);
      if (!known.has(exception.expression)) added.push(exception);
      else print(printable(`${exception.expression} is already in ${file}`));
      known.add(exception.expression);
    }
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    const lines = added.map(({ expression }) => `${expression}\n`);
    if (added.length > 0) await changeFile(file, async () => start + lines.join(""));
    for (const { expression } of added) print(printable(`Added ${expression} to ${file}`));
    const all = [...exceptions, ...added];
    for (const each of given) await sayWhatBlocks(each, all, files, context);
  });
}
