import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { renew } from "@x/list-store";
import { fileState } from "../../storage/file-state.ts";
import type { Context } from "../context.ts";
import { checkStore, seenOf } from "../store-files.ts";
import { isSystemError, systemProblem } from "../system-error.ts";
import type { dailyCollection } from "./collect-daily.ts";
import { describePublished } from "./describe-published.ts";
import { collectingComplaints, textOf } from "./log-context.ts";
import type { Group, Outcomes, Publisher } from "./publish-lists.ts";
import { type ListSettings, RENEW_FRACTION } from "./settings.ts";
import { readKeys, signNext } from "./signing.ts";
import { isIntended } from "./write-metrics.ts";

const POLL = 1000;
const HOUR = 3_600_000;

/** Groups with more bytes than this are long: reading them takes seconds. */
const LONG_BYTES = 4_000_000;

/** Throws for a pipe, a socket or a device: it can be read only once, and reading it again may wait forever. */
async function checkWatchable(source: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (facts === null || facts.isFile() || facts.isDirectory()) return;
  throw new Failure(`--watch needs files, but ${source} is not a regular file`);
}

/** Signs the versions of lists again before they expire, although something is wrong with their sources. */
async function renewAll(
  group: Group,
  { files, options }: Publisher,
  context: Context,
  codes: ReadonlySet<string>,
): Promise<void> {
  const keys = await readKeys(files, options);
  for (const { list, lifetime } of group) {
    const renewWithin = lifetime * RENEW_FRACTION;
    try {
      if ((await seenOf(files, list)) === null) continue;
      const renewed = await signNext(list, files, keys, { ...options, lifetime }, (renewal) =>
        renew({ ...renewal, renewWithin }),
      );
      const { version } = renewed.manifest;
      if (renewed.outcome === "renewed")
        context.print(describePublished(renewed), { list, version });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // The same error, such as a full disk, has already been reported.
      if (!codes.has(error.code))
        context.complain(printable(systemProblem(error)), { list, isFailure: true });
    }
  }
}

export interface WatchOptions {
  readonly publishGroup: (group: Group, context: Context) => Promise<Outcomes>;
  /** Deletes garbage; `null` in a dry run. */
  readonly collect: ReturnType<typeof dailyCollection> | null;
  /** Aborted when there are new settings. */
  readonly replaced: AbortSignal;
  /** Called when a signal ends the watching. */
  readonly onStop: (signal: NodeJS.Signals) => void;
}

/** A group of lists, and when to publish it next. */
interface Watched {
  readonly group: Group;
  /** What its sources looked like when it was last published; `null` before the first time. */
  state: string | null;
  /** When it is published even if no source has changed, in milliseconds since 1970. */
  due: number;
  /** When it may have a new version, in milliseconds since 1970. */
  notBefore: number;
  /** When it was last published, by a clock that does not jump. */
  started: number;
  isRunning: boolean;
  /** The newest version of its only list; `null` if it is not known, or the group has several lists. */
  version: number | null;
  /** What was last complained about. */
  said: string;
}

/** The state of what a group is made from, and its size in bytes. */
interface Inputs {
  readonly state: string;
  readonly bytes: number;
}

const newlyWatched = (group: Group): Watched => ({
  group,
  state: null,
  due: 0,
  notBefore: 0,
  started: 0,
  isRunning: false,
  version: null,
  said: "",
});

/** What a group is made from; `null` until its sources have been fetched. */
async function inputsOf(
  group: Group,
  { sources, files, options }: Publisher,
): Promise<Inputs | null> {
  const parts: string[] = [];
  let bytes = 0;
  const add = async (file: string) => {
    const found = await fileState(file);
    parts.push(found.state);
    return found.bytes;
  };
  await add(options.except ?? files.exceptFile);
  for (const settings of group) {
    const fetched = sources.fetchState(settings);
    if (fetched === null) return null;
    parts.push(fetched);
    bytes += sources.fetchedBytes(settings);
    for (const file of sources.filesOf(settings)) bytes += await add(file);
    for (const file of settings.exceptFiles) await add(file);
  }
  return { state: parts.join("\n"), bytes };
}

/** How often a list is looked at, so that it is signed again before it expires. */
const renewEvery = ({ lifetime }: ListSettings) => Math.min(HOUR, (lifetime * RENEW_FRACTION) / 2);

/**
 * Publishes each group whenever what it is made from changes, until the process is told to stop. While something is
 * wrong, the published versions are signed again, so that they do not expire, and the problems are reported only when
 * something changes. Garbage is collected once a day.
 *
 * At most one long group and one short group are published at the same time, so that a short list never waits until a
 * long one has been read.
 *
 * Returns whether it ended because there are new settings.
 */
export async function watchLists(
  groups: readonly Group[],
  publisher: Publisher,
  context: Context,
  { publishGroup, collect, replaced, onStop }: WatchOptions,
): Promise<boolean> {
  const { files, sources } = publisher;
  await checkStore(files);
  for (const settings of groups.flat())
    for (const source of sources.filesOf(settings)) await checkWatchable(source);

  async function publishOrRenew(watched: Watched, context: Context): Promise<void> {
    const { group } = watched;
    const codes = new Set<string>();
    try {
      const outcomes = [...(await publishGroup(group, context))];
      for (const [list, { manifest, isYoung, error }] of outcomes) {
        if (isSystemError(error)) codes.add(error.code);
        const { minInterval } = group.find((each) => each.list === list)!;
        watched.notBefore = Math.max(watched.notBefore, (manifest?.issued ?? 0) + minInterval);
        if (group.length === 1) watched.version = manifest?.version ?? watched.version;
        // Its sources were not read, although they may have changed.
        if (isYoung) watched.due = Math.min(watched.due, watched.notBefore);
      }
      if (outcomes.every(([, { kept }]) => isIntended(kept))) return;
    } catch (error) {
      if (isSystemError(error)) codes.add(error.code);
      const problem = isSystemError(error) ? systemProblem(error) : (error as Error).message;
      context.complain(printable(problem), { isFailure: true });
    }
    await renewAll(group, publisher, context, codes);
  }

  async function run(watched: Watched, { state }: Inputs): Promise<void> {
    const isFirst = watched.state === null;
    const hasChanged = state !== watched.state;
    // The state was taken before the sources are read, so that a change during the reading is noticed afterwards.
    watched.state = state;
    watched.due = Date.now() + Math.min(...watched.group.map(renewEvery));
    const [{ list }, ...others] = watched.group as [ListSettings, ...ListSettings[]];
    const about = others.length === 0 ? { list } : {};
    const { context: quiet, said } = collectingComplaints(context, about);
    try {
      await publishOrRenew(watched, quiet);
    } catch (error) {
      if (isFirst) throw error;
      quiet.complain((error as Error).message, { isFailure: true });
    } finally {
      const text = textOf(said);
      // What concerns all lists, such as a missing file of exceptions, is said once.
      const isSaid = all.some((each) => each !== watched && each.said === text);
      if (!isSaid && (hasChanged || text !== watched.said)) {
        const { version } = watched;
        for (const { line, facts } of said)
          context.complain(line, { ...(version !== null && { version }), ...facts });
      }
      watched.said = text;
    }
  }

  const ended = new AbortController();
  const end = () => ended.abort();
  let isStopped = false;
  const stop = (signal: NodeJS.Signals) => {
    if (!isStopped) onStop(signal);
    isStopped = true;
    end();
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  replaced.addEventListener("abort", end);
  if (replaced.aborted) end();
  const all = groups.map(newlyWatched);
  /** What is running: one long group and one short one at most. */
  const lanes = new Map<"long" | "short", Promise<void>>();
  let fetching: Promise<void> | undefined;
  let pause: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;

  async function startDue(): Promise<void> {
    const now = Date.now();
    // The group that has waited longest comes first.
    for (const watched of all.toSorted((a, b) => a.started - b.started)) {
      if (watched.isRunning || lanes.size === 2) continue;
      const inputs = await inputsOf(watched.group, publisher);
      if (inputs === null || ended.signal.aborted) continue;
      const hasChanged = inputs.state !== watched.state && now >= watched.notBefore;
      if (!hasChanged && now < watched.due) continue;
      const lane = inputs.bytes > LONG_BYTES ? "long" : "short";
      if (lanes.has(lane)) continue;
      watched.isRunning = true;
      watched.started = performance.now();
      const running = run(watched, inputs)
        .catch((error) => {
          failure ??= { error };
          end();
        })
        .finally(() => {
          watched.isRunning = false;
          lanes.delete(lane);
          // Garbage collection waits for publishers, so no publisher waits for it.
          collecting ??= collectNow().finally(() => {
            collecting = null;
          });
        });
      lanes.set(lane, running);
    }
  }

  let collecting: Promise<void> | null = null;
  let saidLast = "";
  async function collectNow(): Promise<void> {
    const { context: quiet, said } = collectingComplaints(context);
    await collect?.(quiet);
    const text = textOf(said);
    if (text !== saidLast) for (const { line, facts } of said) context.complain(line, facts);
    saidLast = text;
  }

  try {
    while (!ended.signal.aborted) {
      fetching = sources.fetchDue(ended.signal);
      await startDue();
      // Short groups end many times in one pause.
      pause ??= setTimeout(POLL, undefined, { signal: ended.signal })
        .catch(() => {})
        .finally(() => {
          pause = null;
        });
      await Promise.race([pause, ...lanes.values()]);
    }
  } finally {
    end();
    await Promise.all(lanes.values());
    await collecting;
    await fetching;
    process.off("SIGTERM", stop).off("SIGINT", stop);
    replaced.removeEventListener("abort", end);
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  if (!isStopped && replaced.aborted) return true;
  // The output is only a log: lines of it that could not be written are no failure.
  context.exitWith(0);
  return false;
}
