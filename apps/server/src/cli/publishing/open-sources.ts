import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { gatherExceptions } from "../../publish/exceptions.ts";
import { readContents } from "../../publish/fetch/copy.ts";
import { type FetchedSources, fetchedSources } from "../../publish/fetch/fetched-sources.ts";
import { isUrl, parseSourceUrl, type SourceUrl } from "../../publish/fetch/source-url.ts";
import { readSource } from "../../publish/read-sources.ts";
import { fileSource, type Source } from "../../publish/source.ts";
import type { SourceState } from "../../publish/write-metrics.ts";
import type { Context } from "../context.ts";
import type { StoreFiles } from "../store-files.ts";
import { isAccepted, reportSource } from "./report-source.ts";
import type { PublishSettings } from "./settings.ts";
import type { SourcesByList } from "./sources-by-list.ts";

/** The sources of a run: files and URLs. */
export interface Sources {
  readonly lists: SourcesByList;
  readonly files: readonly string[];
  readonly fetched: FetchedSources;
  /** Returns the source to read. If the list must not be made, complains and returns `null`. */
  open(source: string, context: Pick<Context, "complain">): Source | null;
  /** The states of the sources that are named by their URLs, for the metrics. */
  states(): readonly SourceState[];
}

function sourceUrl(list: string, source: string): SourceUrl {
  const found = parseSourceUrl(source);
  // The text is not quoted, since it may contain a password.
  if (found === null) {
    throw new Failure(
      `A source of ${list} is not a URL with http or https, such as https://feed.example/urls.txt`,
    );
  }
  return found;
}

/** Opens the sources, and calls `use` with them. */
export async function withSources(
  lists: SourcesByList,
  files: StoreFiles,
  settings: PublishSettings,
  use: (sources: Sources) => Promise<void>,
): Promise<void> {
  const { skipBad = false, input: format, column, allowEmpty, allowBroad } = settings;
  const given = [...lists].flatMap(([list, sources]) =>
    sources.map((source) => ({ list, source })),
  );
  const urls = new Map(
    given
      .filter(({ source }) => isUrl(source))
      .map(({ list, source }) => [source, sourceUrl(list, source)] as const),
  );
  const isTrial = settings.dryRun === true && urls.size > 0;
  const newFolder = isTrial
    ? await mkdtemp(join(tmpdir(), "urlhash-server-"))
    : files.fetchedFolder;
  try {
    const fetched = await fetchedSources([...urls.values()], {
      folder: files.fetchedFolder,
      newFolder,
      every: settings.watch ? settings.fetchEvery : 0,
      maxBytes: settings.fetchSize,
      maxTime: settings.fetchTime,
      remembers: !isTrial,
      reach: {
        redirectsTo: settings.allowRedirectsTo ?? new Set(),
        privateHosts: settings.allowPrivate ?? new Set(),
      },
      async check(source) {
        const report = await readSource(source, {
          ...{ format, column, allowEmpty, allowBroad },
          exceptions: gatherExceptions(),
          onEntry() {},
          onException() {},
        });
        return isAccepted(report, skipBad) ? null : report;
      },
    });
    await use({
      lists,
      files: given.map(({ source }) => source).filter((source) => !urls.has(source)),
      fetched,
      open(source, context) {
        const url = urls.get(source);
        if (url === undefined) return fileSource(source);
        const { copy, problem } = fetched.get(url);
        if (problem !== null) {
          if (problem.report !== null) reportSource(problem.report, skipBad, context);
          const last =
            copy === null
              ? "there is no good copy of it yet"
              : `the last good copy, of ${new Date(copy.fetched).toISOString().slice(0, 19)}Z, stays in use`;
          context.complain(printable(`${url.shown} ${problem.message}; ${last}`));
        }
        if (copy === null || (problem !== null && !settings.watch)) return null;
        return {
          name: url.shown,
          pieces: () => readContents(copy.file),
          size: async () => copy.bytes,
        };
      },
      states: () =>
        given
          .filter(({ source }) => urls.has(source))
          .map(({ list, source }) => {
            const url = urls.get(source)!;
            const { copy, problem } = fetched.get(url);
            return {
              list,
              source: url.shown,
              failed: problem !== null,
              checked: copy?.checked ?? 0,
            };
          }),
    });
  } finally {
    if (isTrial) await rm(newFolder, { recursive: true, force: true });
  }
}
