import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Failure, formatDuration } from "@x/command-line";
import { fileState } from "../../storage/files.ts";
import type { dailyCollection } from "../commands/gc.ts";
import { type Context, sharedAbort } from "../context.ts";
import { collectingComplaints, complainingOnce, type Said, textOf } from "../log-context.ts";
import { checkStore } from "../store-files.ts";
import type { ListSettings } from "./list-settings.ts";
import { filesOf } from "./open-sources.ts";
import { type Publisher, RENEW_FRACTION } from "./publish-lists.ts";
import { publishOrRenew } from "./renew-versions.ts";

const POLL = 1000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long to wait after a failure that may end without a change of the sources, such as a full disk. */
const RETRY = 5 * MINUTE;

/** The interval between checks of a list, in milliseconds, with which it is signed again before it expires. */
const renewEvery = ({ lifetime }: ListSettings): number =>
  Math.min(HOUR, (lifetime * RENEW_FRACTION) / 2);

/** A list is long if its sources have more bytes than this, because reading them takes seconds. */
const LONG_BYTES = 4_000_000;

export interface WatchOptions {
  /** Deletes garbage, or `null` in a dry run. */
  readonly collect: ReturnType<typeof dailyCollection> | null;
  /** Aborted when there are new settings. */
  readonly replaced: AbortSignal;
  /** Called once, on SIGTERM or SIGINT. */
  readonly onStop: (signal: NodeJS.Signals) => void;
}

/** A list and the state of watching it. */
interface Watched {
  readonly settings: ListSettings;
  /** The fingerprint of the inputs when the list was last published, or `null` before the first time. */
  state: string | null;
  /** When the list is published even if no source has changed, in milliseconds since 1970. */
  due: number;
  /** The earliest time for a new version, in milliseconds since 1970. */
  notBefore: number;
  /** When publishing the list last began, in milliseconds of `performance.now()`. */
  started: number;
  isRunning: boolean;
  /** The newest version, or `null` if it is unknown. */
  version: number | null;
  /** The problems that were last reported. */
  said: string;
}

interface Watch {
  readonly all: readonly Watched[];
  readonly publisher: Publisher;
  readonly context: Context;
  readonly ended: AbortController;
  /** The lists that are being published: at most one long list and one short list. */
  readonly lanes: Map<"long" | "short", Promise<void>>;
  readonly collect: WatchOptions["collect"];
  collecting: Promise<void> | null;
  readonly complainOfGarbage: (said: readonly Said[]) => void;
  /** The error that ended the watch, or `null` if there was none. */
  failure: { readonly error: unknown } | null;
}

/**
 * Publishes each list whenever its sources or exceptions change, until the process is told to stop. While a list has a
 * problem, its published version is signed again before it expires, and the problem is reported only when something
 * changes. Garbage is collected once a day.
 *
 * At most one long list and one short list are published at the same time, so that a short list never waits until a
 * long one has been read.
 *
 * Returns whether the watch ended because there are new settings.
 */
export async function watchLists(
  publisher: Publisher,
  context: Context,
  { collect, replaced, onStop }: WatchOptions,
): Promise<boolean> {
  const { files, lists } = publisher;
  await checkStore(files);
  for (const source of lists.flatMap(filesOf)) await checkWatchable(source);
  const ended = sharedAbort();
  const fresh = { state: null, due: 0, notBefore: 0, started: 0, version: null, said: "" };
  const watch: Watch = {
    all: lists.map((settings) => ({ settings, ...fresh, isRunning: false })),
    publisher,
    context,
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

/** Throws for a pipe, a socket or a device, because reading it again may block forever. */
async function checkWatchable(source: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (facts === null || facts.isFile() || facts.isDirectory()) return;
  throw new Failure(`--watch needs files, but ${source} is not a regular file`);
}

/** Publishes lists when they are due, until the watch ends. Then waits for the work in progress. */
async function publishUntilEnded(watch: Watch): Promise<void> {
  const { lanes, ended, publisher } = watch;
  const { signal } = ended;
  let fetching: Promise<void> | undefined;
  let pause: Promise<void> | null = null;
  try {
    while (!signal.aborted) {
      fetching = publisher.sources.fetchDue(signal);
      await startDue(watch);
      // If a short list ends before the pause is over, the next iteration waits for the rest of the same pause.
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

/** Starts to publish the lists that are due, if their lanes are free. */
async function startDue(watch: Watch): Promise<void> {
  const { all, lanes, ended, publisher } = watch;
  const now = Date.now();
  // The list that has waited longest comes first.
  for (const watched of all.toSorted((a, b) => a.started - b.started)) {
    if (watched.isRunning || lanes.size === 2) continue;
    const inputs = await inputsOf(watched.settings, publisher);
    if (inputs === null || ended.signal.aborted) continue;
    const { "min-interval": minInterval } = watched.settings;
    const mayChange = isPast(watched.notBefore, minInterval + HOUR, now);
    const hasChanged = inputs.state !== watched.state && mayChange;
    if (!hasChanged && !isPast(watched.due, HOUR, now)) continue;
    const lane = inputs.bytes > LONG_BYTES ? "long" : "short";
    if (lanes.has(lane)) continue;
    watched.isRunning = true;
    watched.started = performance.now();
    const running = publishNow(watch, watched, inputs.state)
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

/**
 * Whether a time has come. A time further ahead than `most` milliseconds was set before the clock was set back, so that
 * publishing reports the wrong clock instead of waiting.
 */
const isPast = (time: number, most: number, now: number): boolean =>
  now >= time || time > now + most;

/**
 * Returns a fingerprint of all inputs of a list and the size of its sources in bytes, or `null` until the first fetches
 * of its sources have ended.
 */
async function inputsOf(
  settings: ListSettings,
  { sources, files }: Publisher,
): Promise<{ readonly state: string; readonly bytes: number } | null> {
  const fetched = sources.fetchState(settings);
  if (fetched === null) return null;
  const exceptions = [...files.exceptFiles, ...files.neverBlockFiles];
  const others = [...exceptions, ...settings.exceptions, ...settings["never-block"]];
  const own = await Promise.all(filesOf(settings).map(fileState));
  const states = [...own, ...(await Promise.all(others.map(fileState)))].map(({ state }) => state);
  // When a store that was missing is back, publishing goes on at once.
  if (files.address.kind === "directory") states.push(`${existsSync(files.address.directory)}`);
  return {
    state: [fetched, ...states].join("\n"),
    bytes: own.reduce((sum, { bytes }) => sum + bytes, sources.fetchedBytes(settings)),
  };
}

/** Publishes a list now. Throws only on the first attempt. Later problems are only reported. */
async function publishNow(watch: Watch, watched: Watched, state: string): Promise<void> {
  const { publisher, context } = watch;
  const { settings } = watched;
  const { list } = settings;
  const isFirst = watched.state === null;
  const hasChanged = state !== watched.state;
  // This state is older than the contents that will be read, so a change during the reading is noticed afterwards.
  watched.state = state;
  watched.due = Date.now() + renewEvery(settings);
  const { context: quiet, said } = collectingComplaints(context, { list });
  let hasFailed = true;
  try {
    const outcome = (await publishOrRenew([settings], publisher, quiet))?.get(list);
    if (outcome !== undefined) {
      const { manifest, kept, isYoung } = outcome;
      hasFailed = kept === "failure";
      watched.version = manifest?.version ?? watched.version;
      const next = (manifest?.issued ?? 0) + settings["min-interval"];
      watched.notBefore = Math.max(watched.notBefore, next);
      // The sources were not read, although they may have changed.
      if (isYoung) watched.due = Math.min(watched.due, watched.notBefore);
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

/** Reports the problems of a list, unless they are the same as before and its sources have not changed. */
function report(
  { all, context }: Watch,
  watched: Watched,
  said: readonly Said[],
  hasChanged: boolean,
): void {
  const text = textOf(said);
  // A problem of all lists, such as a missing exceptions file, is reported only once.
  const isSaid = all.some((each) => each !== watched && each.said === text);
  const version = watched.version === null ? {} : { version: watched.version };
  if (!isSaid && (hasChanged || text !== watched.said)) {
    for (const { line, facts } of said) context.complain(line, { ...version, ...facts });
  }
  if (text === "" && watched.said !== "") {
    const { list } = watched.settings;
    context.print(`${list}: the problem is solved`, { list, ...version });
  }
  watched.said = text;
}

async function collectGarbage({ collect, context, complainOfGarbage }: Watch): Promise<void> {
  const { context: quiet, said } = collectingComplaints(context);
  await collect?.(quiet);
  complainOfGarbage(said);
}
