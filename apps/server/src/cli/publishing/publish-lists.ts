import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  listNames,
  type Manifest,
  type Published,
  publish,
  readNewest,
  renew,
  type StoredList,
  UNFINISHED_FOLDER,
} from "@x/list-store";
import type { Exception } from "../../publish/exceptions.ts";
import {
  forgetMadeFrom,
  type MadeFrom,
  readMadeFrom,
  writeMadeFrom,
} from "../../publish/made-from-record.ts";
import type { ListContents } from "../../publish/read-list.ts";
import type { Source } from "../../publish/source.ts";
import { type ScratchFile, scratchFile } from "../../storage/scratch-file.ts";
import { readSeen } from "../../storage/seen-versions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { describeError } from "../describe-error.ts";
import { checkStore, rememberPublished, type StoreFiles, storedList } from "../store-files.ts";
import { removalCheck, TooManyRemoved } from "./check-removals.ts";
import {
  describeExceptions,
  describeHold,
  describeNames,
  describePublished,
  describeWait,
} from "./describe-published.ts";
import { readExceptFiles } from "./except-file.ts";
import { isIntended, type KeptReason } from "./intended-outcomes.ts";
import type { Sources } from "./open-sources.ts";
import { readContents } from "./read-contents.ts";
import { type ListSettings, RENEW_FRACTION, type RunOptions } from "./settings.ts";
import { type PublisherKeys, readKeys } from "./signing.ts";
import {
  contentsWithout,
  newRecord,
  newSources,
  recordWithout,
  unchangedSince,
} from "./skip-unchanged-sources.ts";

/** The outcome of publishing a list. */
export interface Outcome {
  /** Why publishing kept an older version, or `null` if nothing was refused or held back. */
  readonly kept: KeptReason | null;
  /** The newest version, or `null` if it is not known. */
  readonly manifest: Manifest | null;
  /** Whether the newest version is younger than `min-interval`, so that no new version was made. */
  readonly isYoung?: boolean;
  /** The error, if `kept` is `failure`. */
  readonly error?: unknown;
}

/** The outcome of a list and the time in seconds that publishing its group took. */
export interface TimedOutcome extends Outcome {
  readonly seconds: number;
}

/** The outcomes by list name. */
export type Outcomes = ReadonlyMap<string, TimedOutcome>;

/** Lists that are published together: all of them, or none if one is refused. */
export type Group = readonly ListSettings[];

/** The store, the sources and the options that all lists of a run share. */
export interface Publisher {
  readonly files: StoreFiles;
  readonly sources: Sources;
  readonly options: RunOptions;
  /** The number of lists in the run. */
  readonly count: number;
}

/** Opens the sources of a list, and complains about problems with them. Returns `null` if one is missing. */
type OpenSources = (context: Pick<Context, "complain">) => readonly Source[] | null;

/** The keys and exceptions, which are read once for all groups of a run. */
interface Shared extends Publisher {
  readonly keys: PublisherKeys;
  /** The exceptions that apply to all lists of the store. */
  readonly exceptions: readonly Exception[];
}

/** Warns if the file of seen versions is missing, because an old copy of the store would then go unnoticed. */
async function warnOfUnseen({ storage, seenFile }: StoreFiles, { complain }: Context) {
  if ((await readSeen(seenFile)) !== null || (await listNames(storage)).length === 0) return;
  complain(
    printable(
      `warning: the file of seen versions ${seenFile} does not exist; if the store is an old copy, servers that have seen newer versions will refuse what is published now`,
    ),
  );
}

/** A list whose sources were read. */
interface ReadyList {
  readonly settings: ListSettings;
  readonly contents: ListContents;
  /**
   * Makes the record of the list's inputs. Returns `null` if the sources cannot be compared later, as with a pipe.
   */
  readonly record: (published: Published) => Promise<MadeFrom | null>;
}

/** Publishes the contents of lists, and returns the outcome of each list. */
async function publishEach(
  lists: readonly ReadyList[],
  { files, keys, options }: Pick<Shared, "files" | "keys" | "options">,
  { complain, progress }: Pick<Context, "complain" | "progress">,
  onPublished: (list: ReadyList, published: Published) => Promise<void>,
): Promise<Map<string, Outcome>> {
  const { trustClock: trustsClock = false, dryRun = false, resume = false } = options;
  const { signer, publicKeys } = keys;
  const outcomes = new Map<string, Outcome>();
  for (const ready of lists) {
    const { settings, contents } = ready;
    const { list, lifetime, maxRemoved } = settings;
    const { fullHashes } = contents;
    const stored = await storedList(files, list, publicKeys);
    const renewWithin = lifetime * RENEW_FRACTION;
    const checkChange = removalCheck(files.storage, maxRemoved);
    try {
      const published = await publish({
        ...stored,
        fullHashes,
        sha256,
        signer,
        lifetime,
        renewWithin,
        trustsClock,
        dryRun,
        respectsHold: !resume,
        checkChange,
        onProgress: ({ step, objects }) =>
          progress.show(`${list}: ${step}`, () =>
            objects === 0 ? "" : ` ${counted(objects, "object", "objects")}`,
          ),
      });
      const { isHeld, manifest } = published;
      outcomes.set(list, { kept: isHeld ? holdOf(published) : null, manifest });
      await onPublished(ready, published);
    } catch (error) {
      if (!(error instanceof TooManyRemoved)) throw error;
      for (const line of error.message.split("\n")) complain(printable(line), { list });
      outcomes.set(list, { kept: "removals", manifest: null });
    }
  }
  return outcomes;
}

const holdOf = ({ manifest }: Published): KeptReason =>
  manifest.withdrawn ? "withdrawal" : "rollback";

const hasRefusal = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes.values()].some(({ kept }) => kept === "removals");

/**
 * Returns the folder for temporary files. If possible, it is in the store's directory, because that disk has room for
 * the list, and because the publisher might not be allowed to write anywhere else.
 */
function scratchFolder({ address }: StoreFiles, { dryRun = false }: RunOptions): string {
  if (address.kind !== "directory" || dryRun) return tmpdir();
  return join(address.directory, UNFINISHED_FOLDER);
}

/**
 * Brings a list up to date without reading its sources, if they have not changed or `min-interval` has not passed.
 * Returns `null` if the sources must be read.
 */
async function publishUnread(
  settings: ListSettings,
  exceptions: readonly Exception[],
  stored: StoredList,
  open: OpenSources,
  shared: Shared,
  context: Context,
): Promise<Outcome | null> {
  const { files, keys, options } = shared;
  if (options.dryRun || options.resume) return null;
  const { list, lifetime, minInterval } = settings;
  const { signer, publicKeys } = keys;
  const newest = await readNewest(stored);
  if (newest === null) return null;
  const { manifest } = newest;
  const renewWithin = lifetime * RENEW_FRACTION;
  const age = Date.now() - manifest.issued;
  const isYoung = age >= 0 && age < minInterval;
  if (isYoung && manifest.expires - Date.now() > renewWithin) {
    // Reports the problems with fetching the sources.
    open(context);
    context.print(describeWait(manifest, minInterval), { list, version: manifest.version });
    return { kept: null, manifest, isYoung };
  }
  const unchanged = await unchangedSince(settings, exceptions, stored, manifest, {
    folder: files.madeFromFolder,
    open: () => open({ complain() {} }),
  });
  if (unchanged === null) return null;
  const { record, leavesOut } = unchanged;
  // Opening the sources again reports the problems with fetching them.
  if (open(context) === null) return { kept: "source", manifest };
  for (const line of record.said) context.complain(line, { isRepeated: true });
  if (leavesOut) {
    const contents = await contentsWithout(exceptions, stored, manifest);
    const said = describeExceptions(list, contents).map(printable);
    for (const line of said) if (!record.said.includes(line)) context.complain(line);
    const ready: ReadyList = {
      settings,
      contents,
      record: async (published) => recordWithout(record, exceptions, contents, published, said),
    };
    const outcomes = await publishEach([ready], shared, context, (each, published) =>
      finishList(each, published, shared, context),
    );
    return outcomes.get(list)!;
  }
  const trustsClock = options.trustClock ?? false;
  const renewed = await renew({ ...stored, signer, lifetime, renewWithin, trustsClock });
  await rememberPublished(files, publicKeys, renewed);
  const { version } = renewed.manifest;
  context.print(describePublished(renewed, { variants: record.variants }), { list, version });
  return { kept: null, manifest: renewed.manifest };
}

/** Reads the sources of a list. Returns `null` if one of them is refused. */
async function readOne(
  settings: ListSettings,
  exceptions: readonly Exception[],
  open: OpenSources,
  { files }: Publisher,
  context: Context,
  scratch: ScratchFile,
): Promise<ReadyList | null> {
  const opened = open(context);
  if (opened === null) return null;
  const { read, record } = newRecord(settings, exceptions, opened);
  const said: string[] = [];
  const complain = (line: string) => {
    said.push(line);
    context.complain(line);
  };
  const heard = { ...context, complain };
  const before = (await readMadeFrom(files.madeFromFolder, settings.list))?.said ?? null;
  const contents = await readContents(settings, read, exceptions, heard, scratch, before);
  return (
    contents && {
      settings,
      contents,
      record: (published) => record(published, contents, said),
    }
  );
}

/**
 * Publishes the lists of a group: all of them, or none if a source is refused or too much would be removed. A list that
 * was rolled back or withdrawn stays as it is, and the others are published.
 */
async function publishGroup(
  group: Group,
  shared: Shared,
  context: Context,
): Promise<ReadonlyMap<string, Outcome>> {
  const { files, options } = shared;
  const outcomes = new Map<string, Outcome>();
  const scratch = scratchFile(scratchFolder(files, options));
  try {
    const ready: ReadyList[] = [];
    for (const settings of group) {
      const own = await readExceptFiles(settings);
      const exceptions = [...shared.exceptions, ...own];
      // In a group of several lists, the sources of all lists are read before any list is published.
      const stored = await storedList(files, settings.list, shared.keys.publicKeys);
      const isNew = await newSources(settings, stored, files.madeFromFolder);
      const open: OpenSources = (context) => shared.sources.open(settings, isNew, context);
      const unread =
        group.length === 1
          ? await publishUnread(settings, exceptions, stored, open, shared, context)
          : null;
      if (unread !== null) return new Map([[settings.list, unread]]);
      const read = await readOne(settings, exceptions, open, shared, context, scratch);
      outcomes.set(settings.list, {
        kept: read === null ? "source" : "other-list",
        manifest: null,
      });
      if (read !== null) ready.push(read);
    }
    if (ready.length < group.length) return outcomes;
    // A dry run of the whole group comes first, so that one refused list stops the others.
    if (ready.length > 1 && !options.dryRun) {
      const dry = { ...shared, options: { ...options, dryRun: true } };
      const trial = await publishEach(ready, dry, context, async () => {});
      if (hasRefusal(trial)) {
        for (const [list, outcome] of trial) if (outcome.kept !== null) outcomes.set(list, outcome);
        return outcomes;
      }
    }
    return await publishEach(ready, shared, context, (list, published) =>
      finishList(list, published, shared, context),
    );
  } finally {
    scratch.close();
  }
}

/** Records a published version, and prints its outcome. */
async function finishList(
  { settings: { list }, contents: { variants }, record }: ReadyList,
  published: Published,
  { files, keys, options }: Shared,
  context: Context,
): Promise<void> {
  const { outcome, manifest, isHeld } = published;
  const { dryRun: isDryRun = false } = options;
  if (!isDryRun) {
    await rememberPublished(files, keys.publicKeys, published);
    const made = isHeld ? null : await record(published);
    if (made === null) await forgetMadeFrom(files.madeFromFolder, list);
    else await writeMadeFrom(files.madeFromFolder, list, made);
  }
  const { print } = context;
  const { version } = manifest;
  const facts = { list, version };
  print(describePublished(published, { isDryRun, variants: isHeld ? 0 : variants }), facts);
  if (outcome === "changed" && version === 1 && !isDryRun) print(describeNames(list), facts);
  if (isHeld) context.complain(describeHold(published), facts);
}

/**
 * Publishes groups of lists one after the other. A group that fails does not stop the others.
 *
 * @throws if nothing can be published, because the store, the keys or the exceptions of the store cannot be read.
 */
export async function publishGroups(
  groups: readonly Group[],
  publisher: Publisher,
  context: Context,
): Promise<Outcomes> {
  const { files, count } = publisher;
  const keys = await readKeys(files);
  await checkStore(files);
  await warnOfUnseen(files, context);
  const exceptions = await readExceptFiles(files);
  const outcomes = new Map<string, TimedOutcome>();
  for (const group of groups) {
    const started = performance.now();
    const add = (list: string, outcome: Outcome) =>
      outcomes.set(list, { ...outcome, seconds: (performance.now() - started) / 1000 });
    try {
      const found = await publishGroup(group, { ...publisher, keys, exceptions }, context);
      for (const [list, outcome] of found) add(list, outcome);
    } catch (error) {
      const problem = describeError(error);
      if (problem === null) throw error;
      const names = group.map(({ list }) => list).join(", ");
      context.complain(count === group.length ? problem : `${names}: ${problem}`, {
        isFailure: true,
      });
      for (const { list } of group) add(list, { kept: "failure", manifest: null, error });
    }
  }
  const failed = [...outcomes].filter(([, { kept }]) => !isIntended(kept)).map(([list]) => list);
  const hasBroken = [...outcomes.values()].some(({ kept }) => kept === "failure");
  // The problem with the only list has already been reported.
  if (count === 1 && hasBroken) return outcomes;
  if (failed.length === count) context.complain("Nothing was published.");
  else if (failed.length > 0) context.complain(`Not published: ${failed.join(", ")}.`);
  return outcomes;
}
