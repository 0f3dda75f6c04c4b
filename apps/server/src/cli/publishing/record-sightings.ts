import { join, resolve } from "node:path";
import { formatDuration } from "@x/command-line";
import { counted, formatCount } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Manifest } from "@x/list-store";
import { isUrl } from "../../publish/fetch/source-url.ts";
import type { ListSource } from "../../publish/read-list.ts";
import type { SourceReport } from "../../publish/read-sources.ts";
import {
  type EndedEntries,
  type MadeFrom,
  type ReadSource,
  type Sightings,
  type SightingsRecorder,
  sightingsRecorder,
} from "../../publish/sightings.ts";
import {
  openSightings,
  type SightingsFacts,
  type SightingsFile,
  writeSightings,
} from "../../publish/sightings-file.ts";
import type { ScratchFile } from "../../storage/scratch-file.ts";
import { sha256Hex } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { isSystemError, systemProblem } from "../errors.ts";
import type { StoreFiles } from "../store-files.ts";
import type { ListSettings } from "./list-settings.ts";

/** The file of sightings of a list. */
export const sightingsFileOf = ({ sightingsFolder }: StoreFiles, list: string): string =>
  join(sightingsFolder, `${list}.bin`);

/** Opens the sightings of a list. A file that cannot be read is lost; the next one replaces it. */
export async function lastSightings(
  files: StoreFiles,
  list: string,
  { complain }: Pick<Context, "complain">,
): Promise<SightingsFile | null> {
  try {
    return await openSightings(sightingsFileOf(files, list));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    complain(printable(`${list}: warning: ${systemProblem(error)}`), { list });
    return null;
  }
}

/**
 * The keys of sources. The same source may be there twice, for example with another column. The paths of files are
 * relative on the command line, and absolute in the settings.
 */
function keysOf(sources: readonly ListSource[]): string[] {
  const times = new Map<string, number>();
  return sources.map(({ address: given }) => {
    const address = isUrl(given) ? given : resolve(given);
    const time = times.get(address) ?? 0;
    times.set(address, time + 1);
    return sha256Hex(`${time} ${address}`);
  });
}

/** Begins to record where the entries of a list are. */
export function newSightings(
  settings: ListSettings,
  sources: readonly ListSource[],
  last: SightingsFile | null,
  newest: Manifest | null,
  scratch: ScratchFile,
): SightingsRecorder {
  const keys = keysOf(sources);
  return sightingsRecorder({
    sources: sources.map((each, i) => ({
      key: keys[i]!,
      name: each.source.name,
      expireAfter: each["expire-after"] ?? settings["expire-after"] ?? null,
      asOf: each.asOf,
    })),
    last,
    isNew: newest === null,
    scratch,
    now: Date.now(),
  });
}

/** Says how a source is read, as far as that decides which of its rows are entries. */
export function describeHow(
  { summary }: SourceReport,
  { where, "date-column": date }: ListSource,
): string {
  const { recognition = null, column = null } = summary ?? {};
  const parts = [
    recognition === null || recognition.format === "urls" ? null : recognition.format,
    column === null ? null : `column ${column}`,
    where === undefined ? null : `where ${where.join(" and ")}`,
    date === undefined ? null : `dates in ${date}`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** Says that there was no record of sightings, or `null` if no entry ends. */
export function describeLost(
  files: StoreFiles,
  { list, sources, "expire-after": end }: ListSettings,
): string | null {
  if (end === undefined && sources.every((source) => source["expire-after"] === undefined))
    return null;
  return `${list}: warning: ${sightingsFileOf(files, list)} had no record of its entries yet, so expire-after counts from now on`;
}

/** Says which entries of a list have ended. */
export function describeEnded(list: string, ended: readonly EndedEntries[]): string[] {
  return ended.map(({ source, expireAfter, count, lines, all }) => {
    const more = count > lines.length ? ", …" : "";
    const where = `${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
    const entries = `${counted(count, "entry", "entries")} of ${source} (${where})`;
    const time = formatDuration(expireAfter);
    const before = all > count ? `, as ${formatCount(all - count)} did before` : "";
    return `${list}: ${entries} ended after ${time}${before}`;
  });
}

/** How many entries are still in a source, but have ended. */
export const endedBefore = ({ sources }: SightingsFacts): number =>
  sources.reduce((sum, { ended }) => sum + ended, 0);

/**
 * Records the sightings of a version that was published. Returns whether they could be written; if not, the sources are
 * read again the next time.
 */
export async function keepSightings(
  files: StoreFiles,
  { list, contents: { entries } }: Manifest,
  sightings: Sightings,
  made: Omit<MadeFrom, "entries">,
  read: readonly ReadSource[],
  { complain }: Pick<Context, "complain">,
): Promise<boolean> {
  try {
    const facts = sightings.facts({ entries, ...made }, read);
    await writeSightings(sightingsFileOf(files, list), facts, sightings.records());
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const problem = `${systemProblem(error)}, so the dates of new entries are not recorded`;
    complain(printable(`${list}: warning: ${problem}`), { list });
    return false;
  }
}
