import type { ChangesSince } from "../../store/changes-up-to.ts";
import type { ListDifference } from "../../store/prefix-change.ts";

/** How many entries the differences that are kept may have together. One difference may have more. */
const MAX_ENTRIES = 2 ** 21;

/** The same changes, but those that were asked for lately are kept, so that all clients share what is made of them. */
export function keptDifferences(changesSince: ChangesSince): ChangesSince {
  /** The one that was asked for last comes last. */
  const kept = new Map<number, ListDifference>();
  let entries = 0;

  function forget(since: number, difference: ListDifference): void {
    if (kept.delete(since)) entries -= entriesIn(difference);
  }

  function keep(since: number, difference: ListDifference): void {
    kept.set(since, difference);
    entries += entriesIn(difference);
    for (const [older, each] of kept) {
      if (entries <= MAX_ENTRIES || each === difference) return;
      forget(older, each);
    }
  }

  return async (since, checksum, client) => {
    const before = kept.get(since);
    const isSame = before?.oldChecksum.startsWith(checksum);
    const changes = isSame ? before! : await changesSince(since, checksum, client);
    if (typeof changes === "string") return changes;
    // Another client may have asked meanwhile.
    const difference = kept.get(since) ?? changes;
    forget(since, difference);
    keep(since, difference);
    return difference;
  };
}

/** How many entries a difference removes and adds. */
export function entriesIn({ removals, additions }: ListDifference): number {
  return additions.reduce(
    (sum, { rawHashes, prefixBytes }) => sum + rawHashes.length / prefixBytes,
    removals.length,
  );
}
