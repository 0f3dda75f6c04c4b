import { counted } from "@x/explain/counted";
import { type CheckChange, removedHosts, type Storage } from "@x/list-store";
import { mostRemoved, type RemovalLimits } from "../../publish/removal-limits.ts";

/** A new version would remove too much of a list. Each line of the message is for the operator. */
export class TooManyRemoved extends Error {
  override readonly name = "TooManyRemoved";
}

/** How many removed hosts are named. */
const EXAMPLES = 5;

/** Returns a check that throws {@link TooManyRemoved} when a new version would remove too many entries. */
export function removalCheck(storage: Storage, limits: RemovalLimits): CheckChange {
  return async (change) => {
    const { before, removed } = change;
    const { list, version, contents } = before;
    const most = mostRemoved(limits, list, contents.fullHashes);
    if (removed <= most) return;
    const hosts = await removedHosts(storage, change, EXAMPLES);
    const examples = hosts.length === 0 ? "" : `, such as ${hosts.join(", ")}`;
    throw new TooManyRemoved(
      `${list}: ${removed} of ${counted(contents.fullHashes, "entry", "entries")} would be removed${examples}; at most ${most} may be, so version ${version} stays in use
${list}: check the sources; if they are right, publish once with --max-removed ${list}=${removed}`,
    );
  };
}
