import { printable } from "@x/explain/printable";
import { isPublicSuffix } from "@x/list-source/public-suffixes";
import type { Command } from "commander";
import { gatherExceptions } from "../../publish/exceptions.ts";
import { type LogEntry, readNewest, readPrevious } from "../../store/commit-log.ts";
import { StoreError } from "../../store/error.ts";
import { checkListName } from "../../store/keys.ts";
import { publish } from "../../store/publish.ts";
import type { Storage } from "../../store/storage/storage.ts";
import { namesWithout, readContents, type StoredContents } from "../../store/stored-contents.ts";
import type { Context } from "../context.ts";
import { Failure } from "../failure.ts";
import { addSettings, HOLD_HELP, parseCount, TRUST_CLOCK } from "../options.ts";
import { describeExceptions, describePublished } from "../publishing/describe-published.ts";
import { readStoreExceptions } from "../publishing/except-file.ts";
import { readKeys, type SigningOptions } from "../publishing/signing.ts";
import { checkDirectory, rememberPublished, seenOf, storeFiles } from "../store-files.ts";

interface Options extends SigningOptions {
  readonly store: string;
  readonly except?: string;
}

/** An older version, found by going back from the newest one, so that its signature need not be trusted again. */
async function findVersion(
  storage: Storage,
  newest: LogEntry,
  version: number,
): Promise<LogEntry | null> {
  let entry: LogEntry | null = newest;
  while (entry !== null && entry.manifest.version > version) {
    entry = await readPrevious(storage, entry);
  }
  return entry?.manifest.version === version ? entry : null;
}

/** The entries of a version; says which versions could be used instead when it is not kept. */
async function keptContents(
  storage: Storage,
  newest: LogEntry,
  { manifest }: LogEntry,
): Promise<StoredContents> {
  try {
    return await readContents(storage, manifest);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    const { list, version } = manifest;
    const kept: number[] = [];
    let entry: LogEntry | null = newest;
    while (entry !== null && entry.manifest.version > version) {
      if (await isKept(storage, entry)) kept.push(entry.manifest.version);
      entry = await readPrevious(storage, entry);
    }
    throw new Failure(
      `The store no longer has all of version ${version} of ${list}, but it has ${kept.length === 1 ? "version" : "versions"} ${kept.reverse().join(", ")} (gc --keep)`,
      { cause: error },
    );
  }
}

async function isKept(storage: Storage, { manifest }: LogEntry): Promise<boolean> {
  return readContents(storage, manifest).then(
    () => true,
    () => false,
  );
}

export function registerRollback(program: Command, { print, complain }: Context): void {
  const command = program
    .command("rollback")
    .description("publish the entries of an older version again, from what the store has kept")
    .argument("<NAME>", "a list")
    .argument("<VERSION>", "the number of a version, as log shows it", parseCount)
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help);
  addSettings(command, ["key", "public-key", "lifetime", "except"]).addHelpText("after", HOLD_HELP);
  command.action(async (list: string, version: number, options: Options) => {
    checkListName(list);
    const files = storeFiles(options.store);
    const { storage } = files;
    await checkDirectory(files);
    const keys = await readKeys(files, options);
    const seen = await seenOf(files, list);
    const newest = await readNewest(storage, list, keys.publicKeys, seen);
    const entry = newest && (await findVersion(storage, newest, version));
    if (entry === null) throw new Failure(`The store has no version ${version} of list ${list}`);
    const stored = await keptContents(storage, newest!, entry);
    const exceptions = gatherExceptions(await readStoreExceptions(files, options));
    const { pieces, ...applied } = exceptions.apply(stored.fullHashes);
    for (const line of describeExceptions(list, applied)) complain(printable(line));
    const { names } = stored;
    const published = await publish({
      ...{ storage, list, ...keys, seen, lifetime: options.lifetime },
      trustsClock: options.trustClock ?? false,
      fullHashes: pieces,
      names:
        names && (() => namesWithout(names, (host) => exceptions.has(`${host}/`), isPublicSuffix)),
      withdrawn: entry.manifest.withdrawn,
      restores: version,
    });
    await rememberPublished(files, keys.publicKeys, published);
    print(
      published.outcome === "changed"
        ? `${describePublished(published)}, as in version ${version}`
        : `${describePublished(published)}, which are those of version ${version}`,
    );
  });
}
