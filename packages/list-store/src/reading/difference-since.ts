import type { PrefixListDifference } from "@x/prefix-list";
import type { Change } from "../contents/change.ts";
import { entriesIn, type MakeDifference, makeDifference } from "../contents/difference.ts";
import { readLayers, type StoredPrefixes } from "../contents/layers.ts";
import { riceBytes } from "../contents/rice-bytes.ts";
import type { LogEntry } from "../log/entry.ts";
import type { Contents } from "../log/manifest.ts";
import type { Storage } from "../storage/storage.ts";
import { readChangesSince } from "./changes-since.ts";
import type { LoadedList } from "./load-list.ts";
import { recentlyUsed } from "./recently-used.ts";

/** Why a client gets a full update instead of a difference. */
export type NoDifference =
  /** No client was ever given this version of the list. */
  | "unknown-token"
  /** The client's version is too old. */
  | "behind-window"
  /** A full update is smaller. */
  | "full-is-smaller"
  /** The difference has more removals than the client accepts. */
  | "limited";

/**
 * The difference since a version, or why there is none. `checksum` is the beginning of the version's
 * checksum according to the client, and `mostRemovals` is the number of removals that the client accepts.
 */
export type DifferenceSince = (
  since: number,
  checksum: string,
  client: string,
  mostRemovals?: number,
) => Promise<PrefixListDifference | NoDifference>;

/** Decides whose work is done next. */
export interface WorkQueue {
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result>;
}

/** The difference since a version, or the fact that the whole list is smaller. */
type Joined = PrefixListDifference | "full-is-smaller";

const lengthOf = (joined: Joined) => (typeof joined === "string" ? 0 : entriesIn(joined));

/** The maximum number of entries in all cached differences. A single one may have more. */
const MAX_KEPT_ENTRIES = 2 ** 21;

/** Does the work in the order in which it was requested. */
export function inOrder(): WorkQueue {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    run(_, task) {
      const result = queue.then(task);
      queue = result.catch(() => {});
      return result;
    },
  };
}

/** How many prefixes were removed and added. */
export interface ChangeCounts {
  readonly removed: number;
  readonly added: number;
}

/** The counts of several changes. A prefix that changed twice is counted twice. */
function countsOf(changes: readonly Change<StoredPrefixes | null>[]): ChangeCounts {
  return {
    removed: changes.reduce((sum, { removed }) => sum + (removed?.count ?? 0), 0),
    added: changes.reduce((sum, { added }) => sum + (added?.count ?? 0), 0),
  };
}

/** The size of a difference as a fraction of the size of the whole list, both as Rice codes. */
export function bytesAByte(
  list: Pick<Contents, "prefixes">,
  old: Pick<Contents, "prefixes">,
  { removed, added }: ChangeCounts,
): number {
  // Firefox skips empty full updates, so a list is always emptied by a difference.
  if (list.prefixes === 0) return 0;
  const bytes = riceBytes(removed, Math.max(removed, old.prefixes)) + riceBytes(added, 2 ** 32);
  return bytes / riceBytes(list.prefixes, 2 ** 32);
}

/**
 * Changes are joined only if they are at most this many times as large as the list. A prefix that changed twice counts
 * only once after joining, so the joined change may be much smaller.
 */
const MAX_UNJOINED = 2;

/** How differences are made. */
export interface DifferenceOptions {
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  /** Decides which client's difference is made next; by default, the first one that was requested. */
  readonly queue?: WorkQueue | undefined;
  /** Makes a difference, for example in another thread. */
  readonly makeDifference?: MakeDifference | undefined;
}

/**
 * Returns a function that says what changed in a loaded list since older versions. `entryOf` returns a verified entry
 * of its log.
 *
 * When the signed log shows that a client cannot have the version it names, or when the changes since then are more
 * than twice as large as the list, no changes are read. Otherwise, they are read and joined when a client asks for
 * them, and the result is cached for other clients.
 */
export function differencesTo(
  storage: Storage,
  loaded: LoadedList,
  entryOf: (version: number) => Promise<LogEntry>,
  options: DifferenceOptions,
): DifferenceSince {
  const { window, queue = inOrder() } = options;
  const { makeDifference: make = (parts) => makeDifference(parts) } = options;
  const newest = loaded.entry.manifest;
  /** The differences since older versions, by version. */
  const kept = recentlyUsed<number, Joined>(MAX_KEPT_ENTRIES, lengthOf);
  /** The joins in progress, by version and waiting client. */
  const joining = new Map<string, Promise<Joined>>();

  /** Joins the changes since a version; `full-is-smaller` when the whole list takes fewer bytes. */
  async function joinBackTo(since: number, old: Contents): Promise<Joined> {
    let counts: ChangeCounts = { removed: 0, added: 0 };
    const isFarLarger = (changes: readonly Change<StoredPrefixes | null>[]) => {
      counts = countsOf(changes);
      return bytesAByte(newest.contents, old, counts) > MAX_UNJOINED;
    };
    const layers = loaded.layers ?? (await readLayers(storage, newest));
    const from = { entry: loaded.entry, layers };
    const changes = await readChangesSince(storage, from, since, entryOf, isFarLarger);
    if (changes === null) return "full-is-smaller";
    const { words, prefixes } = loaded;
    const difference = await make(
      {
        ...{ changes, words, checksum: prefixes.checksum, before: old },
        ...{ list: newest.list, created: newest.issued },
      },
      counts.removed + counts.added,
    );
    const joined = {
      removed: difference.removals.length,
      added: entriesIn(difference) - difference.removals.length,
    };
    return bytesAByte(newest.contents, old, joined) > 1 ? "full-is-smaller" : difference;
  }

  /**
   * The difference since a version. If it is not cached, the changes are joined when the client's turn in the queue
   * comes.
   */
  function joinedSince(since: number, old: Contents, client: string): Promise<Joined> {
    const name = `${since} ${client}`;
    let joined = joining.get(name);
    if (joined === undefined) {
      // Another client may have requested the same difference in the meantime.
      const join = async () => kept.get(since) ?? joinBackTo(since, old);
      joined = queue.run(client, join).finally(() => joining.delete(name));
      joining.set(name, joined);
    }
    return joined;
  }

  return async (since, checksum, client, mostRemovals = Infinity) => {
    if (since < 1 || since > newest.version) return "unknown-token";
    if (since < newest.version - window) return "behind-window";
    const { contents } = (await entryOf(since)).manifest;
    if (contents.since !== since || !contents.checksum.startsWith(checksum)) return "unknown-token";
    const joined = kept.get(since) ?? (await joinedSince(since, contents, client));
    kept.set(since, joined);
    if (typeof joined === "string") return joined;
    return joined.removals.length > mostRemovals ? "limited" : joined;
  };
}
