import { tmpdir } from "node:os";
import { join } from "node:path";
import { timeLeft } from "@x/command-line/node";
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
  type StoreError,
  UNFINISHED_FOLDER,
} from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Exception } from "../../publish/exceptions.ts";
import type { ListContents, ListSource } from "../../publish/read-list.ts";
import type { ReadProgress } from "../../publish/read-sources.ts";
import { removalCheck, TooManyRemoved } from "../../publish/removal-limits.ts";
import type { SightingsRecorder } from "../../publish/sightings.ts";
import { type ScratchFile, scratchFile } from "../../storage/scratch-file.ts";
import { readSeen } from "../../storage/seen-versions.ts";
import { sha256 } from "../../storage/sha256.ts";
import { upgradeLists } from "../commands/gc.ts";
import type { Context } from "../context.ts";
import { describeError } from "../errors.ts";
import {
  type PublisherKeys,
  readKeys,
  rememberPublished,
  seenOf,
  signNext,
  storedList,
} from "../signing.ts";
import { checkStore, type StoreFiles } from "../store-files.ts";
import { exceptFilesOf, readExceptFiles } from "./except-file.ts";
import {
  aboutOf,
  identified,
  identityOf,
  isUnchanged,
  type ListSettings,
  newSources,
} from "./list-settings.ts";
import {
  describeExceptions,
  describeHold,
  describeNames,
  describePublished,
  describeReading,
  describeWait,
  reportSource,
} from "./messages.ts";
import {
  isIntended,
  type KeptReason,
  type ListState,
  stateAfter,
  writeMetrics,
} from "./metrics.ts";
import type { Sources } from "./open-sources.ts";
import {
  describeEnded,
  describeHow,
  describeLost,
  endedBefore,
  keepSightings,
  lastSightings,
  newSightings,
} from "./record-sightings.ts";

/** A version is signed again when less than this part of its lifetime is left. */
export const RENEW_FRACTION: number = 1 / 3;

/** The options that apply to all lists of a run. */
export interface RunOptions {
  readonly trustClock?: boolean;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
}

/** The lists of a run, and what they share. */
export interface Publisher {
  readonly lists: readonly ListSettings[];
  readonly files: StoreFiles;
  readonly sources: Sources;
  readonly options: RunOptions;
  /** The metrics file, if there is one. */
  readonly metrics: string | undefined;
  /** The state of each list that this process has tried to publish. */
  readonly states: Map<string, ListState>;
}

/** The outcome of publishing a list. */
export interface Outcome {
  /** Why publishing kept an older version, or `null` if nothing was refused or held back. */
  readonly kept: KeptReason | null;
  /** The newest version, or `null` if it is not known. */
  readonly manifest: Manifest | null;
  /** Whether the newest version is younger than `min-interval`, so that no new version was made. */
  readonly isYoung?: boolean;
  /** How many entries are still in a source, but have ended. */
  readonly ended?: number;
  /** The error, if `kept` is `failure`. */
  readonly error?: unknown;
}

/** The outcomes by list name. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** The keys and exceptions, which are read once for all lists. */
interface Shared extends Publisher {
  readonly keys: PublisherKeys;
  /** The exceptions that apply to all lists of the store. */
  readonly exceptions: readonly Exception[];
}

/**
 * Publishes lists one after the other, and writes the metrics even if that fails. A list that fails does not stop the
 * others.
 *
 * @throws if nothing can be published, because the store, the keys or the exceptions of the store cannot be read.
 */
export async function publishLists(
  lists: readonly ListSettings[],
  publisher: Publisher,
  context: Context,
): Promise<Outcomes> {
  const { metrics, states, sources, options } = publisher;
  const note = (list: string, outcome: Outcome, seconds: number | null) =>
    states.set(list, stateAfter(outcome, seconds, states.get(list)));
  try {
    return await publishEach(lists, publisher, context, note);
  } catch (error) {
    for (const { list } of lists) note(list, { kept: "failure", manifest: null }, null);
    throw error;
  } finally {
    context.progress.erase();
    if (metrics !== undefined && !options.dryRun) {
      const own = publisher.lists.map(({ list }) => list);
      const known = [...states].filter(([list]) => own.includes(list));
      await writeMetrics(metrics, new Map(known), sources.states());
    }
  }
}

async function publishEach(
  lists: readonly ListSettings[],
  publisher: Publisher,
  context: Context,
  note: (list: string, outcome: Outcome, seconds: number) => void,
): Promise<Outcomes> {
  const { files } = publisher;
  const count = publisher.lists.length;
  const keys = await readKeys(files);
  await checkStore(files);
  await warnOfUnseen(files, context);
  const exceptions = await readExceptFiles(files);
  const outcomes = new Map<string, Outcome>();
  for (const settings of lists) {
    const { list } = settings;
    const started = performance.now();
    const outcome = await publishList(settings, { ...publisher, keys, exceptions }, context).catch(
      (error: unknown): Outcome => {
        const problem = describeError(error);
        if (problem === null) throw error;
        context.complain(count === 1 ? problem : `${list}: ${problem}`, { isFailure: true });
        return { kept: "failure", manifest: null, error };
      },
    );
    outcomes.set(list, outcome);
    note(list, outcome, (performance.now() - started) / 1000);
  }
  const failed = [...outcomes].filter(([, { kept }]) => !isIntended(kept)).map(([list]) => list);
  // The problem with the only list has already been reported.
  if (count === 1 && [...outcomes.values()][0]?.kept === "failure") return outcomes;
  if (failed.length === count) context.complain("Nothing was published.");
  else if (failed.length > 0) context.complain(`Not published: ${failed.join(", ")}.`);
  return outcomes;
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

/**
 * Brings a list up to date. Its sources are not read if they have not changed, or if `min-interval` has not passed
 * since the newest version.
 */
async function publishList(
  settings: ListSettings,
  shared: Shared,
  context: Context,
): Promise<Outcome> {
  const { files, keys, options, sources } = shared;
  const { list, lifetime, "min-interval": minInterval } = settings;
  const mustRead = options.dryRun || options.resume;
  const own = await readExceptFiles(exceptFilesOf(settings));
  const exceptions = [...shared.exceptions, ...own];
  const stored = await storedList(files, list, keys.publicKeys);
  const newest = await newestToContinue(stored, shared, context);
  const last = await lastSightings(files, list, context);
  try {
    const record = last?.facts ?? null;
    const opened = sources.open(settings, newSources(settings, newest, record), context);
    if (newest !== null && !mustRead) {
      const age = Date.now() - newest.issued;
      const isYoung = age >= 0 && age < minInterval;
      if (isYoung && newest.expires - Date.now() > lifetime * RENEW_FRACTION) {
        context.print(describeWait(newest, minInterval), { list, version: newest.version });
        return { kept: null, manifest: newest, isYoung };
      }
    }
    if (opened === null) return { kept: "source", manifest: newest };
    const identity = identityOf(settings, exceptions);
    const canSkip = !mustRead && newest !== null && record !== null;
    if (canSkip && (await isUnchanged(record, newest, identity, opened))) {
      for (const line of record.said ?? []) context.complain(line, { isRepeated: true });
      const renewed = await renewList(settings, files, keys, options);
      const { manifest } = renewed;
      context.print(describePublished(renewed), { list, version: manifest.version });
      return { kept: null, manifest, ended: endedBefore(record) };
    }
    const scratch = scratchFile(scratchFolder(files, options));
    try {
      const recorder = newSightings(settings, opened, last, newest, scratch);
      const isLost = last === null && newest !== null;
      const reading = { scratch, recorder, before: record?.said ?? null, identity, isLost };
      return await publishRead(settings, opened, exceptions, reading, shared, context);
    } finally {
      scratch.close();
    }
  } finally {
    await last?.close();
  }
}

/** Signs the newest version of a list again if it expires soon. */
export function renewList(
  settings: ListSettings,
  files: StoreFiles,
  keys: PublisherKeys,
  { trustClock }: RunOptions,
): Promise<Published> {
  const { list, lifetime } = settings;
  const renewWithin = lifetime * RENEW_FRACTION;
  return signNext(list, files, keys, { lifetime, trustClock }, (renewal) =>
    renew({ ...renewal, renewWithin, about: aboutOf(settings) }),
  );
}

/** The newest version of a list, after an upgrade of the store if the version is in an older format. */
async function newestToContinue(
  stored: StoredList,
  { files, keys, options }: Shared,
  context: Context,
): Promise<Manifest | null> {
  try {
    return (await readNewest(stored))?.manifest ?? null;
  } catch (error) {
    const isOld = hasName<StoreError>(error, "StoreError") && error.code === "older-format";
    if (!isOld || options.dryRun) throw error;
  }
  const problems = await upgradeLists(files, keys, options, context);
  for (const problem of problems) context.complain(problem);
  const seen = await seenOf(files, stored.list);
  return (await readNewest({ ...stored, seen }))?.manifest ?? null;
}

/**
 * Returns the folder for temporary files. If possible, it is in the store's directory, because that disk has room for
 * the list, and because the publisher might not be allowed to write anywhere else.
 */
function scratchFolder({ address }: StoreFiles, { dryRun = false }: RunOptions): string {
  if (address.kind !== "directory" || dryRun) return tmpdir();
  return join(address.directory, UNFINISHED_FOLDER);
}

/** What reading the sources of a list needs besides them. */
interface Reading {
  readonly scratch: ScratchFile;
  readonly recorder: SightingsRecorder;
  /** The messages about the sources of the last version, if they are known. */
  readonly before: readonly string[] | null;
  readonly identity: string;
  /** Whether there is no record of the sightings of the versions so far. */
  readonly isLost: boolean;
}

/**
 * Reads the sources of a list, and publishes it unless a source is refused, or too much would be removed. A list that
 * was rolled back or withdrawn stays as it is.
 */
async function publishRead(
  settings: ListSettings,
  opened: readonly ListSource[],
  exceptions: readonly Exception[],
  reading: Reading,
  { files, keys, options }: Shared,
  context: Context,
): Promise<Outcome> {
  const { trustClock: trustsClock = false, dryRun: isDryRun = false, resume = false } = options;
  const { list, lifetime } = settings;
  const said: string[] = [];
  const complain = (line: string) => {
    said.push(line);
    context.complain(line);
  };
  const heard = { ...context, complain };
  const sources = opened.map(identified);
  const contents = await readContents(
    settings,
    sources.map(({ source }) => source),
    exceptions,
    heard,
    reading,
  );
  if (contents === null) return { kept: "source", manifest: null };
  const { sightings, how } = contents;
  for (const line of describeEnded(list, sightings.ended)) context.print(printable(line), { list });
  const { firstPage } = contents;
  const checkRemovals = removalCheck(files.storage, settings["max-removed"], sightings.expected);
  let hadOnlyHosts = false;
  const published = await publish({
    ...(await storedList(files, list, keys.publicKeys)),
    fullHashes: contents.fullHashes,
    sha256,
    signer: keys.signer,
    lifetime,
    about: aboutOf(settings),
    renewWithin: lifetime * RENEW_FRACTION,
    trustsClock,
    dryRun: isDryRun,
    respectsHold: !resume,
    onlyHosts: firstPage === null,
    async checkChange(change) {
      hadOnlyHosts = change.before.onlyHosts === true && firstPage !== null;
      await checkRemovals(change);
    },
    onProgress: ({ step, objects }) =>
      context.progress.show(`${list}: ${step}`, () =>
        objects === 0 ? "" : ` ${counted(objects, "object", "objects")}`,
      ),
  }).catch((error: unknown) => {
    if (!(error instanceof TooManyRemoved)) throw error;
    for (const line of error.message.split("\n")) context.complain(printable(line), { list });
    return null;
  });
  if (published === null) return { kept: "removals", manifest: null };
  const { outcome, manifest, isHeld } = published;
  if (hadOnlyHosts) {
    const entry = JSON.stringify(firstPage);
    context.complain(
      printable(
        `${list}: ${entry} is not for a whole host, so checks of URLs take longer than before`,
      ),
      { list },
    );
  }
  if (!isDryRun) {
    await rememberPublished(files, keys.publicKeys, published);
    const read = await Promise.all(
      sources.map(async ({ found }, i) => ({ how: how[i]!, ...(await found()) })),
    );
    const made = { identity: reading.identity, said };
    const isRecorded =
      !isHeld && (await keepSightings(files, manifest, sightings, made, read, context));
    const lost = isRecorded && reading.isLost ? describeLost(files, settings) : null;
    if (lost !== null) context.complain(printable(lost), { list });
  }
  const facts = { list, version: manifest.version };
  context.print(describePublished(published, { isDryRun }), facts);
  if (outcome === "changed" && manifest.version === 1 && !isDryRun)
    context.print(describeNames(list), facts);
  if (!isHeld) return { kept: null, manifest, ended: sightings.allEnded };
  context.complain(describeHold(published), facts);
  return { kept: manifest.withdrawn ? "withdrawal" : "rollback", manifest };
}

function describeRead({ share, entries }: ReadProgress, since: number): string {
  const percent = share === null ? "" : `, ${Math.floor(100 * share)}%`;
  const soFar = entries === 0 ? "" : `, ${counted(entries, "entry", "entries")} so far`;
  return percent + soFar + timeLeft(share ?? 0, since);
}

/** Reads the sources of a list, and reports on them. Returns `null` if a source is refused. */
async function readContents(
  settings: ListSettings,
  sources: readonly ListSource[],
  exceptions: readonly Exception[],
  context: Context,
  { scratch, recorder, before }: Reading,
): Promise<(ListContents & { readonly how: readonly string[] }) | null> {
  const { list } = settings;
  const { readList } = await import("../../publish/read-list.ts");
  /** How each source was read, in words, or `null` if that is obvious. */
  const described: (string | null)[] = [];
  const how: string[] = [];
  let isAccepted = true;
  /** The source that is read, and when its reading began. */
  let began = { source: "", at: 0 };
  const contents = await readList(sources, {
    allowEmpty: settings["allow-empty"],
    allowBroad: settings["allow-broad"],
    exceptions,
    scratch,
    recorder,
    onSource(found) {
      how.push(describeHow(found, sources[how.length]!));
      described.push(describeReading(found, sources[described.length]!));
      if (!reportSource(found, settings["skip-bad"], context, before)) isAccepted = false;
    },
    beforeRead(progress) {
      if (progress.source !== began.source) {
        began = { source: progress.source, at: performance.now() };
      }
      context.progress.show(`${list}: reading ${printable(progress.source)}`, () =>
        describeRead(progress, began.at),
      );
      return context.drained();
    },
    beforeSort(share) {
      context.progress.show(`${list}: sorting`, () =>
        share === 0 ? "" : `, ${Math.floor(100 * share)}%`,
      );
      return context.drained();
    },
  });
  for (const reading of isAccepted ? described : []) {
    if (reading !== null) context.print(printable(`${list}: ${reading}`));
  }
  for (const line of describeExceptions(list, contents)) context.complain(printable(line));
  return isAccepted ? { ...contents, how } : null;
}
