import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { gatherExceptions } from "../../publish/exceptions.ts";
import { type FetchedSource, fetchedSources } from "../../publish/fetch/fetch-schedule.ts";
import { readContents } from "../../publish/fetch/last-good-copy.ts";
import { isUrl, parseSourceUrl, type SourceUrl } from "../../publish/fetch/source-url.ts";
import type { ListSource } from "../../publish/read-list.ts";
import { readSource, type SourceReport } from "../../publish/read-sources.ts";
import { fileSource, type Source } from "../../publish/source.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/schema.ts";
import type { ListSettings } from "./list-settings.ts";
import { isAccepted, reportSource } from "./messages.ts";
import type { SourceState } from "./metrics.ts";

/** The sources of all lists, both files and URLs. */
export interface Sources {
  /** Fetches the URLs that are due, and waits for all fetches in progress. */
  fetchDue(signal: AbortSignal): Promise<void>;
  /**
   * Opens the sources of a list for reading. Complains about each URL whose last good copy is used instead. Leaves out
   * URLs that have no copy yet, if the list can do without them. Returns `null` if it cannot, or if no source is left.
   *
   * @param isDispensable whether the list can do without a source that has this name.
   */
  open(
    settings: ListSettings,
    isDispensable: (name: string) => boolean,
    context: Pick<Context, "complain">,
  ): readonly ListSource[] | null;
  /**
   * A fingerprint of the fetched copies of a list and of problems with them, or `null` until the first fetches have
   * ended.
   */
  fetchState(settings: ListSettings): string | null;
  /** The size of the fetched copies for a list, in bytes. */
  fetchedBytes(settings: ListSettings): number;
  /** The states of the sources that are URLs, for the metrics. */
  states(): readonly SourceState[];
}

/** The paths of the files among the sources of a list. */
export const filesOf = ({ sources }: ListSettings): readonly string[] =>
  sources.map(({ source }) => source).filter((source) => !isUrl(source));

export interface OpenOptions {
  readonly fetch: Settings["fetch"];
  /** The folder with the last good copies of fetched sources. */
  readonly folder: string;
  readonly watch?: boolean;
  readonly dryRun?: boolean;
}

/** A URL, and the lists that are read from it. */
interface Fetched {
  readonly url: SourceUrl;
  readonly users: ListSettings[];
}

function urlsOf(lists: readonly ListSettings[]): Map<string, Fetched> {
  const urls = new Map<string, Fetched>();
  for (const list of lists) {
    for (const { source } of list.sources.filter((each) => isUrl(each.source))) {
      const url = parseSourceUrl(source);
      // The source is not quoted in the message, because it may contain a password.
      if (url === null) {
        throw new Failure(
          `A source of ${list.list} is not a URL with http or https, such as https://feed.example/urls.txt`,
        );
      }
      const known = urls.get(source) ?? { url, users: [] };
      if (!known.users.includes(list)) known.users.push(list);
      urls.set(source, known);
    }
  }
  return urls;
}

/**
 * Reads a source that was fetched. Returns a report on its problems, or `null` if any list accepts it. The other lists
 * refuse it when they are published.
 */
async function problemFor(
  users: readonly ListSettings[],
  url: string,
  fetched: Source,
): Promise<SourceReport | null> {
  let first: SourceReport | null = null;
  for (const list of users) {
    const refused = await refusalOf(list, url, fetched);
    if (refused === null) return null;
    first ??= refused;
  }
  return first;
}

/**
 * The report with which a list refuses a source that was fetched, or `null` if the list accepts it. A list may read a
 * source in several ways, such as two columns of a table.
 */
async function refusalOf(
  list: ListSettings,
  url: string,
  fetched: Source,
): Promise<SourceReport | null> {
  for (const { source, format, column, where, "date-column": dateColumn } of list.sources) {
    if (source !== url) continue;
    const report = await readSource(fetched, {
      format,
      column,
      where,
      dateColumn,
      allowEmpty: list["allow-empty"],
      allowBroad: list["allow-broad"],
      exceptions: gatherExceptions(),
      onEntry() {},
      onException() {},
    });
    if (!isAccepted(report, list["skip-bad"])) return report;
  }
  return null;
}

/** Opens the last good copy of a URL. Complains if the last fetch failed. */
function openCopy(
  url: SourceUrl,
  { copy, problem }: FetchedSource,
  list: ListSettings,
  isDispensable: boolean,
  { complain }: Pick<Context, "complain">,
): Source | null {
  if (problem !== null) {
    if (problem.report !== null) reportSource(problem.report, list["skip-bad"], { complain });
    const last =
      copy === null
        ? `there is no good copy of it yet${isDispensable ? ", so it is left out" : ""}`
        : `the last good copy, of ${new Date(copy.fetched).toISOString().slice(0, 19)}Z, stays in use`;
    complain(printable(`${url.shown} ${problem.message}; ${last}`));
  }
  if (copy === null) return null;
  return {
    name: url.shown,
    pieces: () => readContents(copy.file),
    size: async () => copy.bytes,
    async sha256() {
      // Reading the copy verifies its SHA-256.
      for await (const _ of readContents(copy.file));
      return copy.sha256;
    },
  };
}

/**
 * Opens the sources of lists, and returns the result of `use`. A dry run keeps fetched copies in a temporary folder.
 */
export async function withSources<Result>(
  lists: readonly ListSettings[],
  { folder, fetch, watch = false, dryRun = false }: OpenOptions,
  use: (sources: Sources) => Promise<Result>,
): Promise<Result> {
  const urls = urlsOf(lists);
  const isTrial = dryRun && urls.size > 0;
  const newFolder = isTrial ? await mkdtemp(join(tmpdir(), "urlhash-server-")) : folder;
  try {
    const given = [...urls].map(([address, { url, users }]) => ({
      source: url,
      check: (fetched: Source) => problemFor(users, address, fetched),
    }));
    const fetched = await fetchedSources(given, {
      folder,
      newFolder,
      every: watch ? fetch.every : 0,
      maxBytes: fetch.size,
      maxTime: fetch.time,
      remembers: !isTrial,
      reach: {
        redirectsTo: new Set(fetch["redirects-to"]),
        privateHosts: new Set(fetch["private-hosts"]),
      },
    });
    const fetchedFor = ({ sources }: ListSettings) =>
      sources.flatMap(({ source }) => {
        const url = urls.get(source)?.url;
        return url === undefined ? [] : { url, ...fetched.get(url) };
      });
    return await use({
      fetchDue: fetched.fetchDue,
      open(settings, isDispensable, context) {
        const opened: ListSource[] = [];
        let isMissing = false;
        for (const each of settings.sources) {
          const url = urls.get(each.source)?.url;
          if (url === undefined) {
            const source = fileSource(each.source);
            opened.push({ ...each, address: each.source, source, asOf: Date.now() });
            continue;
          }
          const leavesOut = settings.sources.length > 1 && isDispensable(url.shown);
          const found = fetched.get(url);
          const source = openCopy(url, found, settings, leavesOut, context);
          const asOf = found.problem === null ? Date.now() : (found.copy?.checked ?? 0);
          if (source !== null) opened.push({ ...each, address: each.source, source, asOf });
          else if (!leavesOut) isMissing = true;
        }
        return isMissing || opened.length === 0 ? null : opened;
      },
      fetchState(settings) {
        const found = fetchedFor(settings);
        if (found.some(({ isFirst }) => isFirst)) return null;
        return found.map(({ copy, problem }) => `${copy?.sha256} ${problem?.message}`).join("\n");
      },
      fetchedBytes: (settings) =>
        fetchedFor(settings).reduce((sum, { copy }) => sum + (copy?.bytes ?? 0), 0),
      states: () =>
        lists.flatMap((settings) =>
          fetchedFor(settings).map(({ url, copy, problem }) => ({
            list: settings.list,
            source: url.shown,
            failed: problem !== null,
            checked: copy?.checked ?? 0,
          })),
        ),
    });
  } finally {
    if (isTrial) await rm(newFolder, { recursive: true, force: true });
  }
}
