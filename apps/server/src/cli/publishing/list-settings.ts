import { createHash } from "node:crypto";
import { Failure } from "@x/command-line";
import type { SourceFormat } from "@x/list-source";
import { type About, checkListName, type Manifest } from "@x/list-store";
import type { Exception } from "../../publish/exceptions.ts";
import { isUrl, parseSourceUrl } from "../../publish/fetch/source-url.ts";
import type { ListSource } from "../../publish/read-list.ts";
import type { ReadSource } from "../../publish/sightings.ts";
import type { SightingsFacts } from "../../publish/sightings-file.ts";
import { sha256Hex } from "../../storage/sha256.ts";
import { ownVersion } from "../context.ts";
import { OF_LISTS, type Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";

/** The settings with which a list is published: its own, and otherwise those of all lists. */
export interface ListSettings extends Pick<Settings, keyof typeof OF_LISTS> {
  readonly list: string;
  /** The path or URL of each source, and how it is read. */
  readonly sources: readonly (Omit<ListSource, "source" | "address" | "asOf"> & {
    readonly source: string;
  })[];
  /** Exceptions files for this list only. The exceptions of the store apply to all lists. */
  readonly exceptions: readonly string[];
  /** Files of hosts that this list never blocks. */
  readonly "never-block": readonly string[];
  /** Why entries are on the list, and where people can object, as versions say. */
  readonly reason?: string;
  readonly contact?: string;
}

/** What versions of a list say about it. */
export const aboutOf = ({ reason, contact }: ListSettings): About | null =>
  reason === undefined && contact === undefined ? null : { reason, contact };

/** How the sources on the command line are read. */
export interface SourceOptions {
  readonly input?: SourceFormat;
  readonly column?: string;
  readonly where?: readonly string[];
}

/** The settings of a list with these sources. */
function settingsOf(
  list: string,
  settings: Settings,
  sources: ListSettings["sources"],
): ListSettings {
  const names = Object.keys(OF_LISTS) as (keyof typeof OF_LISTS)[];
  const ofAll = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const own = Object.hasOwn(settings.lists, list) ? settings.lists[list] : {};
  return { ...ofAll, exceptions: [], "never-block": [], ...own, list, sources } as ListSettings;
}

/** Returns the lists in the settings file. Throws if one has no sources. */
export function listsInSettings({ settings, file }: GivenSettings): readonly ListSettings[] {
  return Object.entries(settings.lists).map(([list, { sources }]) => {
    if (sources !== undefined) return settingsOf(list, settings, sources);
    throw new Failure(`${file}: lists.${list}: expected "sources" with at least one source`);
  });
}

/** Parses arguments such as `malware=urls.txt`. Several arguments may add sources to the same list. */
function listsOnCommandLine(
  given: readonly string[],
  settings: Settings,
  { input: format, column, where }: SourceOptions,
): readonly ListSettings[] {
  const lists = new Map<string, string[]>();
  for (const each of given) {
    const at = each.indexOf("=");
    // A URL is not quoted in the message, because it may contain a password.
    if (isUrl(each)) {
      throw new Failure(
        "Expected NAME=SOURCE, such as malware=https://feed.example/urls.txt, not a URL alone",
      );
    }
    if (at < 1 || at === each.length - 1 || each.slice(0, at).includes(":")) {
      const not = each.includes(":") ? "" : `, not ${JSON.stringify(each)}`;
      throw new Failure(`Expected NAME=SOURCE, such as malware=urls.txt${not}`);
    }
    const name = each.slice(0, at);
    checkListName(name);
    lists.set(name, [...(lists.get(name) ?? []), each.slice(at + 1)]);
  }
  const reading = { ...(format && { format }), ...(column && { column }), ...(where && { where }) };
  return [...lists].map(([list, sources]) =>
    settingsOf(
      list,
      settings,
      sources.map((source) => ({ source, ...reading })),
    ),
  );
}

/** Returns the lists to publish, from the command line or from the settings file. */
export function chosenLists(
  names: readonly string[],
  given: GivenSettings,
  { input, column, where }: SourceOptions,
): readonly ListSettings[] {
  const options = { input, column, where } as SourceOptions;
  if (names.length > 0) return listsOnCommandLine(names, given.settings, options);
  const [option] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined)
    throw new Failure(`--${option} is for NAME=SOURCE: write it into ${given.file}`);
  const lists = listsInSettings(given);
  if (lists.length > 0) return lists;
  throw new Failure(
    `Expected NAME=SOURCE, such as malware=urls.txt, or lists in the settings file ${given.file}`,
  );
}

/*
 * What the newest version of a list was made from, so that unchanged sources need not be read again. The record is in
 * the file of sightings.
 */

const DAY = 24 * 60 * 60 * 1000;

/** The hash of everything but the sources with which a list is read. */
export function identityOf(settings: ListSettings, exceptions: readonly Exception[]): string {
  const { sources, lifetime: _, "min-interval": __, "max-removed": ___, ...reading } = settings;
  const read = sources.map((each) => [
    each.source,
    each.format,
    each.column,
    each.where,
    each["expire-after"],
    each["date-column"],
  ]);
  const facts = JSON.stringify([ownVersion(), process.version, reading, read]);
  // There may be a million hosts that are never blocked.
  const lines = exceptions.map(
    ({ expression, where, isNeverBlocked }) => `${isNeverBlocked} ${expression} ${where}`,
  );
  return sha256Hex([facts, ...lines].join("\n"));
}

/** Whether a record is of a version that is neither withdrawn nor rolled back. */
function isMadeFrom(
  { contents, withdrawn, restores }: Manifest,
  { entries }: Pick<SightingsFacts, "entries">,
): boolean {
  return !withdrawn && restores === undefined && contents.entries === entries;
}

/**
 * Whether nothing has changed since the newest version was made that requires reading the sources again, and no entry
 * has ended since. A record is valid for a day, and then everything is read once more.
 */
export async function isUnchanged(
  record: SightingsFacts,
  newest: Manifest,
  identity: string,
  sources: readonly ListSource[],
): Promise<boolean> {
  const age = Date.now() - record.read;
  if (age < 0 || age >= DAY || !isMadeFrom(newest, record)) return false;
  if (record.identity !== identity || sources.length !== record.sources.length) return false;
  const pairs = record.sources.map((known, i) => [known, sources[i]!] as const);
  if (pairs.some(([{ nextEnd }, { asOf }]) => nextEnd !== null && nextEnd * 1000 <= asOf))
    return false;
  // The contents are read only if all lengths are the same.
  for (const [{ bytes }, { source }] of pairs) if ((await source.size()) !== bytes) return false;
  for (const [{ sha256 }, { source }] of pairs)
    if ((await source.sha256()) !== sha256) return false;
  return true;
}

/**
 * Returns a function that says which sources a list can do without while they have no good copy: those that its newest
 * version was certainly not made from, so that leaving them out removes no entries. The list can do without none of its
 * sources if one that it was made from has gone, because a new one may replace it.
 */
export function newSources(
  settings: ListSettings,
  newest: Manifest | null,
  record: SightingsFacts | null,
): (name: string) => boolean {
  if (newest === null) return () => true;
  if (record === null || !isMadeFrom(newest, record)) return () => false;
  const before = record.sources.map(({ name }) => name);
  const now = settings.sources.map(({ source }) => parseSourceUrl(source)?.shown ?? source);
  if (!before.every((name) => now.includes(name))) return () => false;
  return (name) => !before.includes(name);
}

/**
 * Wraps a source, and computes its length and SHA-256 while it is read. There is no result until all bytes have been
 * read, and for a source that cannot be read again, such as a pipe.
 */
export function identified(opened: ListSource): {
  readonly source: ListSource;
  readonly found: () => Promise<Pick<ReadSource, "bytes" | "sha256">>;
} {
  const { source } = opened;
  const hash = createHash("sha256");
  let bytes = 0;
  let isOver = false;
  async function* pieces() {
    for await (const piece of source.pieces()) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
    isOver = true;
  }
  return {
    source: { ...opened, source: { ...source, pieces } },
    async found() {
      if (!isOver || (await source.size()) === null) return {};
      return { bytes, sha256: hash.digest("hex") };
    },
  };
}
