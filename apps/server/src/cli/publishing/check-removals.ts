import type { CheckChange, Storage } from "@x/list-store";
import { type RemovalLimit, removalProblem } from "../../publish/removal-limits.ts";
import { longestOfDay } from "../../publish/removals-in-a-day.ts";

/** Thrown when a new version would remove too much of a list. The message has two lines. */
export class TooManyRemoved extends Error {
  override readonly name = "TooManyRemoved";
}

/**
 * Returns a check that throws {@link TooManyRemoved} when a new version would remove too many entries of the newest
 * version, or would be too short compared with the longest version of the last 24 hours.
 */
export function removalCheck(
  storage: Storage,
  limit: RemovalLimit,
  now: () => number = Date.now,
): CheckChange {
  return async ({ before, fresh, removed }) => {
    const { list, version, contents, withdrawn } = before;
    if (removed === 0 && !withdrawn) return;
    const longest = await longestOfDay(storage, before, limit, now());
    const after = fresh.hashes.count;
    const when = withdrawn ? "before it was withdrawn" : "in the last 24 hours";
    const problem = removalProblem(limit, {
      before: contents.fullHashes,
      removed,
      after,
      longest,
      when,
    });
    if (problem === null) return;
    throw new TooManyRemoved(
      `${list}: ${problem}, so version ${version} stays in use
${list}: check the sources; if they are right, publish once with --set lists.${list}.max-removed=${Math.max(removed, longest - after)}`,
    );
  };
}
