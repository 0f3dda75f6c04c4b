import {
  hashesOnList,
  type Manifest,
  type Published,
  readContents,
  type StoredList,
} from "@x/list-store";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import {
  type Exception,
  expressionsOf,
  gatherExceptions,
  withoutExceptions,
} from "../../publish/exceptions.ts";
import {
  hashOfText,
  haveBytes,
  identified,
  isMadeFrom,
  type MadeFrom,
  readMadeFrom,
  writeMadeFrom,
} from "../../publish/made-from.ts";
import type { ListContents } from "../../publish/read-list.ts";
import type { Source } from "../../publish/source.ts";
import { ownVersion } from "../version.ts";
import type { ListSettings } from "./settings.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Records have at most this many exceptions. With more, a list is always read. */
const MOST_EXCEPTIONS = 10_000;

/** Identifies the settings with which the sources of a list are read. */
function identityOf(settings: ListSettings): string {
  const { sources, sharesExceptions, names, interop, allowEmpty, allowBroad, skipBad } = settings;
  const flags = [sharesExceptions, names, interop, allowEmpty, allowBroad, skipBad];
  const read = sources.map(({ source, format, column }) => [source, format, column]);
  return hashOfText(JSON.stringify([ownVersion(), process.version, flags, read]));
}

const expressionsIn = (exceptions: readonly Exception[]): string[] => [
  ...new Set<string>(exceptions.map(({ expression }) => expression)),
];

/** What other exceptions change in a version. `less` means that entries can only be left out. */
type Effect = "none" | "less" | "unknown";

/**
 * What other exceptions change in a version: nothing if none of those that were removed had an effect, and if the
 * version has no entry that blocks the URL of one that was added.
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

/** Longer lists are read again rather than held in memory. */
const MOST_IN_MEMORY = 5_000_000;

/** Whether a list can be made without its sources when an exception is added: it has nothing but full hashes. */
function hasOnlyHashes({ names, interop }: ListSettings, { contents }: Manifest): boolean {
  return names === "none" && !interop && contents.fullHashes <= MOST_IN_MEMORY;
}

/** A record, and whether exceptions that were added since then leave out entries of the version. */
export interface Unchanged {
  readonly record: MadeFrom;
  readonly leavesOut: boolean;
}

const effectiveIn = ({ leftOut, stillBlocked }: Pick<ListContents, "leftOut" | "stillBlocked">) =>
  expressionsIn([...leftOut, ...stillBlocked.map(({ exception }) => exception)]);

/** Where the record of a list is, and how to open its sources. */
interface Known {
  readonly folder: string;
  /** Opens the sources; `null` if the list must not be made from them. */
  open(): readonly Source[] | null;
}

/**
 * The record of how the newest version of a list was made, if the same sources and settings would make the same version
 * again; otherwise `null`. A record counts for a day: then everything is read once more.
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
  if (record === null || record.settings !== identityOf(settings)) return null;
  const age = Date.now() - record.read;
  if (age < 0 || age >= DAY || !isMadeFrom(newest, record)) return null;
  const sources = open();
  if (sources === null || !(await haveBytes(sources, record.sources))) return null;
  const now = expressionsIn(exceptions);
  const effect = await effectOf(now, record, stored);
  const leavesOut = effect === "less" && hasOnlyHashes(settings, newest);
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
  return { ...applied, fullHashes: { count, pieces: () => fullHashes }, names: null, variants: 0 };
}

/** The record of a version that {@link contentsWithout} has made from the recorded one. */
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

/** Begins a record: returns the sources to read, and a function that makes the record after publishing. */
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
        settings: identityOf(settings),
        sources: known,
        exceptions: all,
        entries: published.entries,
        names: published.names ?? null,
        variants,
        said,
      };
    },
  };
}
