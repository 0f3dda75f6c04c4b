import { printable } from "@x/explain/printable";
import { renew } from "@x/list-store";
import { fileState } from "../../storage/file-state.ts";
import type { Context } from "../context.ts";
import { seenOf } from "../store-files.ts";
import { isSystemError, systemProblem } from "../system-error.ts";
import { describePublished } from "./describe-published.ts";
import type { Group, Outcomes, Publisher } from "./publish-lists.ts";
import { type ListSettings, RENEW_FRACTION } from "./settings.ts";
import { readKeys, signNext } from "./signing.ts";
import { isIntended } from "./write-metrics.ts";

const HOUR = 3_600_000;

/** A group of lists, and when to publish it next. */
export interface Watched {
  readonly group: Group;
  /** The fingerprint of the inputs when the group was last published; `null` before the first time. */
  state: string | null;
  /** When the group is published even if no source has changed, in milliseconds since 1970. */
  due: number;
  /** The earliest time for a new version of the group, in milliseconds since 1970. */
  notBefore: number;
  /** When publishing the group last began, in milliseconds of `performance.now()`. */
  started: number;
  isRunning: boolean;
  /** The newest version of the only list; `null` if it is unknown, or the group has several lists. */
  version: number | null;
  /** The problems that were last reported. */
  said: string;
}

/** A fingerprint of everything that a group is made from, and the size of its sources in bytes. */
export interface Inputs {
  readonly state: string;
  readonly bytes: number;
}

export const newlyWatched = (group: Group): Watched => ({
  group,
  state: null,
  due: 0,
  notBefore: 0,
  started: 0,
  isRunning: false,
  version: null,
  said: "",
});

/** Returns the inputs of a group; `null` until the first fetches of its sources have ended. */
export async function inputsOf(
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

/** The interval in milliseconds at which a list is checked, so that it is signed again before it expires. */
export const renewEvery = ({ lifetime }: ListSettings): number =>
  Math.min(HOUR, (lifetime * RENEW_FRACTION) / 2);

/** Signs the newest versions of a group again if they expire soon, without reading their sources. */
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

/**
 * Publishes a group. If anything is wrong, reports the problem, and signs the newest versions again if they expire
 * soon.
 */
export async function publishOrRenew(
  watched: Watched,
  publisher: Publisher,
  publishGroup: (group: Group, context: Context) => Promise<Outcomes>,
  context: Context,
): Promise<void> {
  const { group } = watched;
  const codes = new Set<string>();
  try {
    const outcomes = [...(await publishGroup(group, context))];
    for (const [list, { manifest, isYoung, error }] of outcomes) {
      if (isSystemError(error)) codes.add(error.code);
      const { minInterval } = group.find((each) => each.list === list)!;
      watched.notBefore = Math.max(watched.notBefore, (manifest?.issued ?? 0) + minInterval);
      if (group.length === 1) watched.version = manifest?.version ?? watched.version;
      // The sources were not read, although they may have changed.
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
