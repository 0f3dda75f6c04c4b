import type { Group, Outcomes } from "./publish-lists.ts";

/** A group of lists and the state of watching it. */
export interface Watched {
  readonly group: Group;
  /** The fingerprint of the inputs when the group was last published, or `null` before the first time. */
  state: string | null;
  /** When the group is published even if no source has changed, in milliseconds since 1970. */
  due: number;
  /** The earliest time for a new version of the group, in milliseconds since 1970. */
  notBefore: number;
  /** When publishing the group last began, in milliseconds of `performance.now()`. */
  started: number;
  isRunning: boolean;
  /** The newest version of the only list, or `null` if it is unknown or the group has several lists. */
  version: number | null;
  /** The problems that were last reported. */
  said: string;
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

/** Says when a group that was published is published again. */
export function noteOutcomes(watched: Watched, outcomes: Outcomes): void {
  const { group } = watched;
  for (const [list, { manifest, isYoung }] of outcomes) {
    const { minInterval } = group.find((each) => each.list === list)!;
    watched.notBefore = Math.max(watched.notBefore, (manifest?.issued ?? 0) + minInterval);
    if (group.length === 1) watched.version = manifest?.version ?? watched.version;
    // The sources were not read, although they may have changed.
    if (isYoung) watched.due = Math.min(watched.due, watched.notBefore);
  }
}
