import { Failure } from "@x/command-line";
import { changeFile } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { findFullHashes, listNames, loadList } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import type { Command } from "commander";
import { type Exception, expressionsOf } from "../../publish/exceptions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { exceptionsIn, readExceptText } from "../publishing/except-file.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { readPublicKeys, storedList } from "../signing.ts";
import { openStoreToChange, type StoreFiles } from "../store-files.ts";

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
