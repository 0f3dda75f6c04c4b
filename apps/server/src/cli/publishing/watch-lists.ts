import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Failure, formatDuration } from "@x/command-line";
import type { Context } from "../context.ts";
import { sharedAbort } from "../shared-abort.ts";
import { checkStore } from "../store-files.ts";
import type { dailyCollection } from "./collect-daily.ts";
import { type Inputs, inputsOf } from "./group-inputs.ts";
import { collectingComplaints, complainingOnce, type Said, textOf } from "./log-context.ts";
import type { Group, Outcomes, Publisher } from "./publish-lists.ts";
import { publishOrRenew } from "./renew-versions.ts";
import { type ListSettings, RENEW_FRACTION } from "./settings.ts";
import { newlyWatched, noteOutcomes, type Watched } from "./watched-group.ts";

const POLL = 1000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long to wait after a failure that may end without a change of the sources, such as a full disk. */
const RETRY = 5 * MINUTE;

/** The interval between checks of a list, in milliseconds, with which it is signed again before it expires. */
const renewEvery = ({ lifetime }: ListSettings): number =>
  Math.min(HOUR, (lifetime * RENEW_FRACTION) / 2);

/** A group is long if its sources have more bytes than this, because reading them takes seconds. */
const LONG_BYTES = 4_000_000;

export interface WatchOptions {
  readonly publish: (groups: readonly Group[], context: Context) => Promise<Outcomes>;
  /** The function that deletes garbage, or `null` in a dry run. */
  readonly collect: ReturnType<typeof dailyCollection> | null;
  /** Aborted when there are new settings. */
  readonly replaced: AbortSignal;
  /** Called once, on SIGTERM or SIGINT. */
  readonly onStop: (signal: NodeJS.Signals) => void;
}

interface Watch extends Pick<WatchOptions, "publish" | "collect"> {
  readonly all: readonly Watched[];
  readonly publisher: Publisher;
  readonly context: Context;
  readonly ended: AbortController;
  /** The groups that are being published: at most one long group and one short group. */
  readonly lanes: Map<"long" | "short", Promise<void>>;
  collecting: Promise<void> | null;
  readonly complainOfGarbage: (said: readonly Said[]) => void;
  /** The error that ended the watch, or `null` if there was none. */
  failure: { readonly error: unknown } | null;
}

/** Throws for a pipe, a socket or a device, because reading it again may block forever. */
async function checkWatchable(source: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (facts === null || facts.isFile() || facts.isDirectory()) return;
  throw new Failure(`--watch needs files, but ${source} is not a regular file`);
}

/** Reports the problems of a group, unless they are the same as before and its sources have not changed. */
function report(
  { all, context }: Watch,
  watched: Watched,
  said: Said[],
  hasChanged: boolean,
): void {
  const text = textOf(said);
  // A problem of all lists, such as a missing exceptions file, is reported only once.
  const isSaid = all.some((each) => each !== watched && each.said === text);
  if (!isSaid && (hasChanged || text !== watched.said)) {
    const { version } = watched;
    for (const { line, facts } of said)
      context.complain(line, { ...(version !== null && { version }), ...facts });
  }
  if (text === "" && watched.said !== "") {
    const { group, version } = watched;
    const names = group.map(({ list }) => list).join(", ");
    const about = group.length === 1 ? { list: names } : {};
    context.print(`${names}: there is no problem any more`, {
      ...about,
      ...(version !== null && { version }),
    });
  }
  watched.said = text;
}

/** Publishes a group now. Throws only on the first attempt. Later problems are only reported. */
async function publishNow(watch: Watch, watched: Watched, { state }: Inputs): Promise<void> {
  const { publisher, publish, context } = watch;
  const { group } = watched;
  const isFirst = watched.state === null;
  const hasChanged = state !== watched.state;
  // This state is older than the contents that will be read, so a change during the reading is noticed afterwards.
  watched.state = state;
  watched.due = Date.now() + Math.min(...group.map(renewEvery));
  const about = group.length === 1 ? { list: group[0]!.list } : {};
  const { context: quiet, said } = collectingComplaints(context, about);
  let hasFailed = true;
  try {
    const outcomes = await publishOrRenew([group], publisher, publish, quiet);
    if (outcomes !== null) {
      noteOutcomes(watched, outcomes);
      hasFailed = [...outcomes.values()].some(({ kept }) => kept === "failure");
    }
  } catch (error) {
    if (isFirst) {
      report(watch, watched, said, hasChanged);
      throw error;
    }
    quiet.complain((error as Error).message, { isFailure: true });
  }
  if (hasFailed) {
    watched.due = Math.min(watched.due, Date.now() + RETRY);
    const again = formatDuration(RETRY);
    quiet.complain(`Publishing is tried again every ${again}, and as soon as a source changes.`);
  }
  report(watch, watched, said, hasChanged);
}

async function collectGarbage({ collect, context, complainOfGarbage }: Watch): Promise<void> {
  const { context: quiet, said } = collectingComplaints(context);
  await collect?.(quiet);
  complainOfGarbage(said);
}

/** Starts to publish the groups that are due, if their lanes are free. */
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
        // No publisher waits for garbage collection, because garbage collection itself waits for publishers at work.
        watch.collecting ??= collectGarbage(watch).finally(() => {
          watch.collecting = null;
        });
      });
    lanes.set(lane, running);
  }
}

/** Publishes groups when they are due, until the watch ends. Then waits for the work in progress. */
async function publishUntilEnded(watch: Watch): Promise<void> {
  const { lanes, ended, publisher } = watch;
  const { signal } = ended;
  let fetching: Promise<void> | undefined;
  let pause: Promise<void> | null = null;
  try {
    while (!signal.aborted) {
      fetching = publisher.sources.fetchDue(signal);
      await startDue(watch);
      // If a short group ends before the pause is over, the next iteration waits for the rest of the same pause.
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
 * Publishes each group whenever its sources or exceptions change, until the process is told to stop. While a group has
 * a problem, its published versions are signed again before they expire, and the problem is reported only when
 * something changes. Garbage is collected once a day.
 *
 * At most one long group and one short group are published at the same time, so that a short list never waits until a
 * long one has been read.
 *
 * Returns whether the watch ended because there are new settings.
 */
export async function watchLists(
  groups: readonly Group[],
  publisher: Publisher,
  context: Context,
  { publish, collect, replaced, onStop }: WatchOptions,
): Promise<boolean> {
  const { files, sources } = publisher;
  await checkStore(files);
  for (const settings of groups.flat())
    for (const source of sources.filesOf(settings)) await checkWatchable(source);
  const ended = sharedAbort();
  const watch: Watch = {
    all: groups.map(newlyWatched),
    publisher,
    context,
    publish,
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
  // The output is only a log, so the command does not fail when lines of the log cannot be written.
  context.exitWith(0);
  return false;
}
