import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Fetching, type FetchSettings, fetchSource } from "./fetch-source.ts";
import { type Copy, copyName, readCopy } from "./last-good-copy.ts";
import { type FetchProblem, problemOf } from "./send-request.ts";
import type { SourceUrl } from "./source-url.ts";

export interface GivenSource {
  readonly source: SourceUrl;
  /** Checks the received contents. Returns a report on their problems, or `null` if they may be published. */
  readonly check: Fetching["check"];
}

/**
 * How long to wait after the first problem with a source, in milliseconds. Each further problem doubles the wait, up to
 * the usual interval.
 */
const FIRST_RETRY = 60_000;
/** Each wait is longer by a random share of it, at most this one, so that publishers do not all fetch at once. */
const JITTER = 0.1;

/** The state of a source that is a URL. */
export interface FetchedSource {
  /** The last good copy, or `null` if there is none. */
  readonly copy: Copy | null;
  /** Why the last fetch failed, or `null` if it succeeded. */
  readonly problem: FetchProblem | null;
  /** Whether the source has no recent copy, and its first fetch in this run has not ended yet. */
  readonly isFirst: boolean;
}

/** The sources that are URLs. */
export interface FetchedSources {
  /** Fetches the sources that are due, and waits for all fetches in progress. */
  fetchDue(signal: AbortSignal): Promise<void>;
  get(source: SourceUrl): FetchedSource;
}

export interface FetchedSourcesOptions extends FetchSettings {
  /** The folder with the last good copies. */
  readonly folder: string;
  /** The folder for new copies, which is another one in a dry run. */
  readonly newFolder: string;
  /** The interval between fetches, in milliseconds, or 0 to fetch each time. */
  readonly every: number;
}

interface Entry extends GivenSource {
  readonly file: string;
  copy: Copy | null;
  problem: FetchProblem | null;
  /** When to fetch the source next, in milliseconds of `performance.now()`. */
  due: number;
  failures: number;
  isFirst: boolean;
  running: Promise<void> | null;
}

const later = (milliseconds: number) =>
  performance.now() + milliseconds * (1 + JITTER * Math.random());

function allowExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

type Folders = Pick<FetchedSourcesOptions, "folder" | "newFolder">;

async function lastCopy(name: string, { folder, newFolder }: Folders): Promise<Copy | null> {
  return (await readCopy(join(newFolder, name))) ?? (await readCopy(join(folder, name)));
}

async function entryOf(
  { source, check }: GivenSource,
  { folder, newFolder, every }: FetchedSourcesOptions,
): Promise<Entry> {
  const name = copyName(source);
  const copy = await lastCopy(name, { folder, newFolder });
  const age = copy === null ? every : Date.now() - copy.checked;
  const due = age >= 0 && age < every ? later(every - age) : 0;
  const file = join(newFolder, name);
  const isFirst = due === 0;
  return { source, check, file, copy, problem: null, due, failures: 0, isFirst, running: null };
}

/** Finds the last good copies of sources, and decides when to fetch each source next. */
export async function fetchedSources(
  given: readonly GivenSource[],
  options: FetchedSourcesOptions,
): Promise<FetchedSources> {
  const { every, newFolder } = options;
  const entries = new Map<string, Entry>();
  for (const each of given) {
    const name = copyName(each.source);
    if (!entries.has(name)) entries.set(name, await entryOf(each, options));
  }

  async function fetch(entry: Entry, signal: AbortSignal): Promise<void> {
    const { source, check, file } = entry;
    try {
      // Another process may have replaced the copy, or somebody may have removed it.
      const copy = await lastCopy(copyName(source), options);
      entry.copy = copy;
      await mkdir(newFolder, { mode: 0o700 }).catch(allowExisting);
      entry.copy = await fetchSource(source, { ...options, check, copy, file, signal });
      entry.problem = null;
      entry.failures = 0;
      entry.due = later(every);
    } catch (error) {
      const problem = problemOf(error);
      entry.problem = problem;
      const wait = Math.min(every, FIRST_RETRY * 2 ** entry.failures);
      entry.failures = Math.min(entry.failures + 1, 20);
      entry.due = later(Math.max(wait, problem.retryAfter));
    } finally {
      entry.running = null;
      entry.isFirst = false;
    }
  }

  return {
    async fetchDue(signal) {
      for (const entry of entries.values()) {
        if (entry.running !== null || performance.now() < entry.due) continue;
        entry.running = fetch(entry, signal);
      }
      await Promise.all([...entries.values()].map((entry) => entry.running));
    },
    get: (source) => entries.get(copyName(source))!,
  };
}
