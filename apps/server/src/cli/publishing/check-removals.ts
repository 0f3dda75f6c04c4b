import { counted, formatCount } from "@x/explain/counted";
import { type CheckChange, removedHosts, type Storage } from "@x/list-store";
import { longestOfDay } from "../../publish/longest-of-day.ts";
import { mostRemoved, type RemovalLimits } from "../../publish/removal-limits.ts";

/** A new version would remove too much of a list. Each line of the message is for the operator. */
export class TooManyRemoved extends Error {
  override readonly name = "TooManyRemoved";
}

/** How many removed hosts are named. */
const EXAMPLES = 5;

const entriesOf = (count: number) => counted(count, "entry", "entries");

/**
 * Returns a check that throws {@link TooManyRemoved} when a new version would remove too many entries of the newest one,
 * or would be too short for what the list had in the last 24 hours.
 */
export function removalCheck(
  storage: Storage,
  limits: RemovalLimits,
  now: () => number = Date.now,
): CheckChange {
  return async (change) => {
    const { before, fresh, removed } = change;
    const { list, version, contents, withdrawn } = before;
    if (removed === 0 && !withdrawn) return;
    const longest = await longestOfDay(storage, before, limits, now());
    const entries = fresh.hashes.count;
    const most = mostRemoved(limits, list, contents.fullHashes);
    const mostOfDay = mostRemoved(limits, list, longest);
    let problem: string;
    if (removed > most) {
      const hosts = await removedHosts(storage, change, EXAMPLES);
      const examples = hosts.length === 0 ? "" : `, such as ${hosts.join(", ")}`;
      problem = `${formatCount(removed)} of ${entriesOf(contents.fullHashes)} would be removed${examples}; at most ${formatCount(most)} may be`;
    } else if (longest - entries > mostOfDay) {
      const when = withdrawn ? "before it was withdrawn" : "in the last 24 hours";
      problem = `it had ${entriesOf(longest)} ${when}, and would have ${formatCount(entries)}; at most ${formatCount(mostOfDay)} may go`;
    } else return;
    throw new TooManyRemoved(
      `${list}: ${problem}, so version ${version} stays in use
${list}: check the sources; if they are right, publish once with --max-removed ${list}=${Math.max(removed, longest - entries)}`,
    );
  };
}
