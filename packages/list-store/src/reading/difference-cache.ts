import type { PrefixListDifference } from "@x/prefix-list";
import { entriesIn } from "../contents/difference.ts";
import { recentlyUsed } from "./recently-used.ts";
import type { WorkQueue } from "./work-queue.ts";

/** The difference since a version, or the fact that the whole list is smaller. */
export type Joined = PrefixListDifference | "full-is-smaller";

const lengthOf = (joined: Joined) => (typeof joined === "string" ? 0 : entriesIn(joined));

/** The maximum number of entries in all cached differences. A single difference may have more. */
const MAX_KEPT_ENTRIES = 2 ** 21;

/**
 * Returns a function that gives the difference with a key. If the difference is not cached, `join` makes it when the
 * client's turn in the queue comes.
 */
export function differenceCache(
  queue: WorkQueue,
): (key: string, client: string, join: () => Promise<Joined>) => Promise<Joined> {
  /** The differences, by key. */
  const kept = recentlyUsed<string, Joined>(MAX_KEPT_ENTRIES, lengthOf);
  /** The joins in progress, by key and waiting client. */
  const joining = new Map<string, Promise<Joined>>();

  function joinInTurn(key: string, client: string, join: () => Promise<Joined>): Promise<Joined> {
    const name = `${key} ${client}`;
    let joined = joining.get(name);
    if (joined === undefined) {
      // Another client may have requested the same difference in the meantime.
      joined = queue
        .run(client, async () => kept.get(key) ?? join())
        .finally(() => joining.delete(name));
      joining.set(name, joined);
    }
    return joined;
  }

  return async (key, client, join) => {
    const joined = kept.get(key) ?? (await joinInTurn(key, client, join));
    kept.set(key, joined);
    return joined;
  };
}
