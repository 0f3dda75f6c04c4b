import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Copy, copyName, readCopy } from "./copy.ts";
import { type FetchProblem, problemOf } from "./fetch-problem.ts";
import { type Fetching, type FetchSettings, fetchSource } from "./fetch-source.ts";
import type { SourceUrl } from "./source-url.ts";

/** A source to fetch. */
export interface GivenSource {
  readonly source: SourceUrl;
  /** Reads the contents that were received. Returns what is wrong with them, or `null` if they may be published. */
  readonly check: Fetching["check"];
}

/** How long to wait after the first problem with a source, in milliseconds. Each further problem doubles the wait. */
const FIRST_RETRY = 60_000;
/** Waits are made longer by a random share of up to this much, so that not everybody fetches at the same time. */
const JITTER = 0.1;

/** The state of a source that is named by its URL. */
export interface FetchedSource {
  /** The last good copy. */
  readonly copy: Copy | null;
  /** Why the last fetch failed; `null` if it succeeded. */
  readonly problem: FetchProblem | null;
  /** Whether it is being fetched for the first time in this run. */
  readonly isFirst: boolean;
}

/** The sources that are named by their URLs. */
export interface FetchedSources {
  /** Fetches the sources whose time has come, and waits until none is being fetched. */
  fetchDue(signal: AbortSignal): Promise<void>;
  get(source: SourceUrl): FetchedSource;
}

export interface FetchedSourcesOptions extends FetchSettings {
  /** Where the last good copies are. */
  readonly folder: string;
  /** Where new copies are kept. */
  readonly newFolder: string;
  /** How often to fetch, in milliseconds; 0 fetches each time. */
  readonly every: number;
}

interface Entry extends GivenSource {
  readonly file: string;
  copy: Copy | null;
  problem: FetchProblem | null;
  /** When to fetch the source next, by a clock that does not jump. */
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

/** Finds the last good copies of sources. */
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
      // Another process may have fetched it, or somebody may have removed it.
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
