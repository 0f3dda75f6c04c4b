import {
  hashesOnList,
  type Manifest,
  type Published,
  readContents,
  readNewest,
  type StoredList,
} from "@x/list-store";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import {
  type Exception,
  expressionsOf,
  gatherExceptions,
  withoutExceptions,
} from "../../publish/exceptions.ts";
import { parseSourceUrl } from "../../publish/fetch/source-url.ts";
import {
  hashOfText,
  haveBytes,
  identified,
  isMadeFrom,
  type MadeFrom,
  readMadeFrom,
  writeMadeFrom,
} from "../../publish/made-from-record.ts";
import type { ListContents } from "../../publish/read-list.ts";
import type { Source } from "../../publish/source.ts";
import { ownVersion } from "../version.ts";
import type { ListSettings } from "./settings.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The most exceptions in a record. A list with more exceptions is always read again. */
const MOST_EXCEPTIONS = 10_000;

/**
 * A hash of the settings with which a list is read, of the hosts that are never blocked, and of the versions of this
 * program and Node.
 */
function identityOf(settings: ListSettings, exceptions: readonly Exception[]): string {
  const { sources, sharesExceptions, interop, allowEmpty, allowBroad, skipBad } = settings;
  const flags = [sharesExceptions, interop, allowEmpty, allowBroad, skipBad];
  const read = sources.map(({ source, format, column, where }) => [source, format, column, where]);
  const hosts = exceptions.filter(({ isNeverBlocked }) => isNeverBlocked);
  const never = hosts.map(({ expression }) => expression);
  return hashOfText(JSON.stringify([ownVersion(), process.version, flags, read, never]));
}

/** The expressions of exceptions that do not come from hosts that are never blocked. */
const expressionsIn = (exceptions: readonly Exception[]): string[] => [
  ...new Set<string>(
    exceptions.flatMap(({ expression, isNeverBlocked }) => (isNeverBlocked ? [] : expression)),
  ),
];

/** The effect of changed exceptions on a version. `less` means that entries can only be left out. */
type Effect = "none" | "less" | "unknown";

/**
 * Returns the effect of changed exceptions on a version. They have none if no removed exception had an effect and no
 * entry of the version blocks the URL of an added exception.
 */
async function effectOf(
  now: readonly string[],
  { exceptions, effective, said }: MadeFrom,
  stored: StoredList,
): Promise<Effect> {
  const [before, after] = [new Set(exceptions), new Set(now)];
  const removed = exceptions.filter((each) => !after.has(each));
  const added = now.filter((each) => !before.has(each));
  if (removed.some((each) => effective.includes(each))) return "unknown";
  if (removed.some((each) => said.some((line) => line.includes(each)))) return "unknown";
  if (added.length === 0) return "none";
  const hashes = added.flatMap((each) => [...expressionsOf(each)].map((text) => fullHash(text)));
  const onList = await hashesOnList(stored, hashes);
  return onList?.found.length === 0 ? "none" : "less";
}

/** Lists with more entries are read again from their sources instead of being held in memory. */
const MOST_IN_MEMORY = 5_000_000;

/** Whether a list has no variants and fits in memory, so that exceptions can be applied without its sources. */
function hasOnlyEntries({ interop }: ListSettings, { contents }: Manifest): boolean {
  return !interop && contents.fullHashes <= MOST_IN_MEMORY;
}

/** A record with the effect of exceptions that were added later. */
export interface Unchanged {
  readonly record: MadeFrom;
  readonly leavesOut: boolean;
}

const effectiveIn = ({ leftOut, stillBlocked }: Pick<ListContents, "leftOut" | "stillBlocked">) =>
  expressionsIn([...leftOut, ...stillBlocked.map(({ exception }) => exception)]);

/**
 * Returns a function that says which sources a list can do without while they have no good copy: those that its newest
 * version was certainly not made from, so that leaving them out removes no entries. The list can do without none of its
 * sources if one that it was made from has gone, because a new one may replace it, or if the sources share exceptions,
 * because the others might then block what a missing one excepts.
 */
export async function newSources(
  { list, sources, sharesExceptions }: ListSettings,
  stored: StoredList,
  folder: string,
): Promise<(name: string) => boolean> {
  if (sharesExceptions) return () => false;
  const newest = await readNewest(stored);
  if (newest === null) return () => true;
  const record = await readMadeFrom(folder, list);
  if (record === null || !isMadeFrom(newest.manifest, record)) return () => false;
  const { sourceNames } = record;
  const names = new Set(sources.map(({ source }) => parseSourceUrl(source)?.shown ?? source));
  if (!sourceNames.every((name) => names.has(name))) return () => false;
  return (name) => !sourceNames.includes(name);
}

/** The folder with the record of a list and a function that opens its sources. */
interface Known {
  readonly folder: string;
  /** Opens the sources. Returns `null` if the list must not be made from them. */
  open(): readonly Source[] | null;
}

/**
 * Returns the record of the newest version, or `null` if something has changed that requires reading the sources again.
 * A record is valid for a day, and then everything is read once more.
 */
export async function unchangedSince(
  settings: ListSettings,
  exceptions: readonly Exception[],
  stored: StoredList,
  newest: Manifest,
  { folder, open }: Known,
): Promise<Unchanged | null> {
  const { list } = settings;
  const record = await readMadeFrom(folder, list);
  if (record === null || record.settings !== identityOf(settings, exceptions)) return null;
  const age = Date.now() - record.read;
  if (age < 0 || age >= DAY || !isMadeFrom(newest, record)) return null;
  const sources = open();
  if (sources === null || !(await haveBytes(sources, record.sources))) return null;
  const now = expressionsIn(exceptions);
  const effect = await effectOf(now, record, stored);
  const leavesOut = effect === "less" && hasOnlyEntries(settings, newest);
  if (effect !== "none" && !leavesOut) return null;
  if (effect === "none" && now.join() !== record.exceptions.join()) {
    await writeMadeFrom(folder, list, { ...record, exceptions: now });
  }
  return { record, leavesOut };
}

/** The entries of a version, without those that exceptions leave out. */
export async function contentsWithout(
  exceptions: readonly Exception[],
  { storage }: StoredList,
  newest: Manifest,
): Promise<ListContents> {
  const { fullHashes: all } = await readContents(storage, newest);
  const { fullHashes, ...applied } = withoutExceptions(gatherExceptions(exceptions), all);
  const bytes = fullHashes.reduce((sum, { length }) => sum + length, 0);
  const count = bytes / FULL_HASH_BYTES;
  return { ...applied, fullHashes: { count, pieces: () => fullHashes }, variants: 0 };
}

/** The record of a version whose contents {@link contentsWithout} made from the recorded version. */
export function recordWithout(
  record: MadeFrom,
  exceptions: readonly Exception[],
  { leftOut, stillBlocked }: ListContents,
  { manifest: { contents } }: Published,
  said: readonly string[],
): MadeFrom {
  return {
    ...record,
    exceptions: expressionsIn(exceptions),
    effective: [...record.effective, ...effectiveIn({ leftOut, stillBlocked })],
    entries: contents.entries,
    said: [...new Set([...record.said, ...said])],
  };
}

/** Begins a record. Returns the sources to read and a function that makes the record after publishing. */
export function newRecord(
  settings: ListSettings,
  exceptions: readonly Exception[],
  opened: readonly Source[],
): {
  readonly read: readonly Source[];
  readonly record: (
    published: Published,
    contents: ListContents,
    said: readonly string[],
  ) => Promise<MadeFrom | null>;
} {
  const begun = Date.now();
  const sources = opened.map(identified);
  return {
    read: sources.map(({ source }) => source),
    async record({ manifest: { contents: published } }, { variants, leftOut, stillBlocked }, said) {
      const found = await Promise.all(sources.map((each) => each.found()));
      const known = found.filter((each) => each !== null);
      const all = expressionsIn(exceptions);
      if (known.length < sources.length || all.length > MOST_EXCEPTIONS) return null;
      const effective = effectiveIn({ leftOut, stillBlocked });
      return {
        effective,
        read: begun,
        settings: identityOf(settings, exceptions),
        sources: known,
        sourceNames: opened.map(({ name }) => name),
        exceptions: all,
        entries: published.entries,
        variants,
        said,
      };
    },
  };
}
