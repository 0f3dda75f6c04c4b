import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Failure } from "@x/command-line";
import type { Context } from "../context.ts";
import { checkStore } from "../store-files.ts";
import type { dailyCollection } from "./collect-daily.ts";
import { collectingComplaints, complainingOnce, type Said, textOf } from "./log-context.ts";
import type { Group, Outcomes, Publisher } from "./publish-lists.ts";
import {
  type Inputs,
  inputsOf,
  newlyWatched,
  publishOrRenew,
  renewEvery,
  type Watched,
} from "./watched-group.ts";

const POLL = 1000;

/** Groups with more bytes than this are long: reading them takes seconds. */
const LONG_BYTES = 4_000_000;

export interface WatchOptions {
  readonly publishGroup: (group: Group, context: Context) => Promise<Outcomes>;
  /** Deletes garbage; `null` in a dry run. */
  readonly collect: ReturnType<typeof dailyCollection> | null;
  /** Aborted when there are new settings. */
  readonly replaced: AbortSignal;
  /** Called when a signal ends the watching. */
  readonly onStop: (signal: NodeJS.Signals) => void;
}

/** What is watched, and what is under way. */
interface Watch extends Pick<WatchOptions, "publishGroup" | "collect"> {
  readonly all: readonly Watched[];
  readonly publisher: Publisher;
  readonly context: Context;
  readonly ended: AbortController;
  /** What is being published: one long group and one short one at most. */
  readonly lanes: Map<"long" | "short", Promise<void>>;
  collecting: Promise<void> | null;
  readonly complainOfGarbage: (said: readonly Said[]) => void;
  /** What ended the watching. */
  failure: { readonly error: unknown } | null;
}

/** Throws for a pipe, a socket or a device: it can be read only once, and reading it again may wait forever. */
async function checkWatchable(source: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (facts === null || facts.isFile() || facts.isDirectory()) return;
  throw new Failure(`--watch needs files, but ${source} is not a regular file`);
}

/** Reports what is wrong with a group, unless it is known and nothing has changed. */
function report(
  { all, context }: Watch,
  watched: Watched,
  said: Said[],
  hasChanged: boolean,
): void {
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

/** Publishes a group now. Throws only if it is the first time. */
async function publishNow(watch: Watch, watched: Watched, { state }: Inputs): Promise<void> {
  const { publisher, publishGroup, context } = watch;
  const { group } = watched;
  const isFirst = watched.state === null;
  const hasChanged = state !== watched.state;
  // The state was taken before the sources are read, so that a change during the reading is noticed afterwards.
  watched.state = state;
  watched.due = Date.now() + Math.min(...group.map(renewEvery));
  const about = group.length === 1 ? { list: group[0]!.list } : {};
  const { context: quiet, said } = collectingComplaints(context, about);
  try {
    await publishOrRenew(watched, publisher, publishGroup, quiet);
  } catch (error) {
    if (isFirst) throw error;
    quiet.complain((error as Error).message, { isFailure: true });
  } finally {
    report(watch, watched, said, hasChanged);
  }
}

async function collectGarbage({ collect, context, complainOfGarbage }: Watch): Promise<void> {
  const { context: quiet, said } = collectingComplaints(context);
  await collect?.(quiet);
  complainOfGarbage(said);
}

/** Begins to publish the groups that are due, as far as there is room in the lanes. */
async function startDue(watch: Watch): Promise<void> {
  const { all, lanes, ended, publisher } = watch;
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
    const running = publishNow(watch, watched, inputs)
      .catch((error) => {
        watch.failure ??= { error };
        ended.abort();
      })
      .finally(() => {
        watched.isRunning = false;
        lanes.delete(lane);
        // Garbage collection waits for publishers, so no publisher waits for it.
        watch.collecting ??= collectGarbage(watch).finally(() => {
          watch.collecting = null;
        });
      });
    lanes.set(lane, running);
  }
}

/** Publishes what is due until the watching ends, and finishes what is under way then. */
async function publishUntilEnded(watch: Watch): Promise<void> {
  const { lanes, ended, publisher } = watch;
  const { signal } = ended;
  let fetching: Promise<void> | undefined;
  let pause: Promise<void> | null = null;
  try {
    while (!signal.aborted) {
      fetching = publisher.sources.fetchDue(signal);
      await startDue(watch);
      // Short groups end many times in one pause.
      pause ??= setTimeout(POLL, undefined, { signal })
        .catch(() => {})
        .finally(() => {
          pause = null;
        });
      await Promise.race([pause, ...lanes.values()]);
    }
  } finally {
    ended.abort();
    await Promise.all(lanes.values());
    await watch.collecting;
    await fetching;
  }
}

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
  const ended = new AbortController();
  const watch: Watch = {
    all: groups.map(newlyWatched),
    publisher,
    context,
    publishGroup,
    collect,
    ended,
    lanes: new Map(),
    collecting: null,
    failure: null,
    complainOfGarbage: complainingOnce(context),
  };
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
  try {
    await publishUntilEnded(watch);
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop);
    replaced.removeEventListener("abort", end);
  }
  if (watch.failure !== null) throw watch.failure.error;
  if (!isStopped && replaced.aborted) return true;
  // The output is only a log: lines of it that could not be written are no failure.
  context.exitWith(0);
  return false;
}
