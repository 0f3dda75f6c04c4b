import { type JoinStoredChanges, joinStoredChanges } from "../contents/join-stored-changes.ts";
import { type ChangeObjects, readLayers } from "../contents/layers.ts";
import { entriesIn, type ListDifference } from "../contents/prefix-change.ts";
import { riceBytes } from "../contents/rice-bytes.ts";
import { type LogEntry, readBack } from "../log/commit-log.ts";
import type { Contents } from "../log/manifest.ts";
import type { Storage } from "../storage/storage.ts";
import { readChangesSince } from "./changes-since.ts";
import type { LoadedList } from "./load-list.ts";

/** Why a client gets no difference, and so a full update. */
export type NoDifference =
  /** No client of this list was ever given its version. */
  | "unknown-token"
  /** It is too old. */
  | "behind-window"
  /** A full update is smaller. */
  | "full-is-smaller"
  /** The client cannot be sent that many removals. */
  | "limited";

/**
 * What changed since a version, or why there is no difference from it. `checksum` is the start of the checksum that the
 * version has according to the client, `mostRemovals` how many removals it can be sent.
 */
export type ChangesSince = (
  since: number,
  checksum: string,
  client: string,
  mostRemovals?: number,
) => Promise<ListDifference | NoDifference>;

/** Decides whose work is done next. */
export interface WorkQueue {
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result>;
}

/** What changed since a version, or that the whole list is smaller. */
type Joined = ListDifference | "full-is-smaller";

const lengthOf = (joined: Joined) => (typeof joined === "string" ? 0 : entriesIn(joined));

/** How many entries the differences that are kept may have together. A single one may have more. */
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

/** How many prefixes changed. */
export interface ChangeCounts {
  readonly removed: number;
  readonly added: number;
}

/** The counts of pieces. What was changed twice is counted twice. */
function countsOf(pieces: readonly ChangeObjects[]): ChangeCounts {
  return {
    removed: pieces.reduce((sum, { removed }) => sum + (removed?.count ?? 0), 0),
    added: pieces.reduce((sum, { added }) => sum + (added?.count ?? 0), 0),
  };
}

/** How many bytes a difference takes for each byte of the whole list, as Rice codes. */
export function bytesAByte(
  list: Pick<Contents, "prefixes">,
  old: Pick<Contents, "prefixes">,
  { removed, added }: ChangeCounts,
): number {
  // Firefox skips a full update that is empty: a list is always emptied by a difference.
  if (list.prefixes === 0) return 0;
  const bytes = riceBytes(removed, Math.max(removed, old.prefixes)) + riceBytes(added, 2 ** 32);
  return bytes / riceBytes(list.prefixes, 2 ** 32);
}

/**
 * How many times as large as the list the changes may be before they are joined. What was changed twice is then counted
 * once, so that most of them become much smaller.
 */
const MAX_UNJOINED = 2;

/**
 * Returns a function that says what changed in a loaded list since older versions.
 *
 * When the signed log shows that a client cannot have the version it names, or when the changes since then are several
 * times as large as the list, no changes are read. Otherwise, they are read when a client asks for them, and joined once
 * for all clients.
 */
export function changesUpTo(
  storage: Storage,
  loaded: LoadedList,
  window: number,
  queue: WorkQueue = inOrder(),
  join: JoinStoredChanges = (changes) => joinStoredChanges(changes),
): ChangesSince {
  const newest = loaded.entry.manifest;
  const log = new Map(loaded.log);
  /** By version: what changed since that version. The most recently used one comes last. */
  const kept = new Map<number, Joined>();
  let keptEntries = 0;
  /** What is being joined, by the version and the client that waits for it. */
  const joining = new Map<string, Promise<Joined>>();
  /** Settles when the parts of the log that were asked for have been read. */
  let reading: Promise<unknown> = Promise.resolve();

  function keep(since: number, joined: Joined): void {
    if (kept.has(since)) keptEntries -= lengthOf(kept.get(since)!);
    kept.delete(since);
    kept.set(since, joined);
    keptEntries += lengthOf(joined);
    for (const [version, each] of kept) {
      if (keptEntries <= MAX_KEPT_ENTRIES || version === since) return;
      kept.delete(version);
      keptEntries -= lengthOf(each);
    }
  }

  /** Joins the changes since a version, unless they are larger than the list. */
  async function joinBackTo(since: number, old: Contents): Promise<Joined> {
    const isFarLarger = (pieces: readonly ChangeObjects[]) =>
      bytesAByte(newest.contents, old, countsOf(pieces)) > MAX_UNJOINED;
    const layers = loaded.layers ?? (await readLayers(storage, newest));
    const from = { entry: loaded.entry, layers };
    const read = await readChangesSince(storage, from, since, readEntryOf, isFarLarger);
    const { pieces, stored } = read;
    if (stored === null) return "full-is-smaller";
    const { removed, added } = countsOf(pieces);
    const difference = await join(
      {
        stored,
        words: loaded.words,
        checksums: { oldChecksum: old.checksum, checksum: loaded.prefixes.checksum },
      },
      removed + added,
    );
    const counts = {
      removed: difference.removals.length,
      added: entriesIn(difference) - difference.removals.length,
    };
    return bytesAByte(newest.contents, old, counts) > 1 ? "full-is-smaller" : difference;
  }

  /** What changed since a version: what is kept, or what is joined when it is the client's turn. */
  function joinedSince(since: number, old: Contents, client: string): Promise<Joined> {
    const name = `${since} ${client}`;
    let joined = joining.get(name);
    if (joined === undefined) {
      // Another client may have asked for the same change in the meantime.
      const join = async () => kept.get(since) ?? joinBackTo(since, old);
      joined = queue.run(client, join).finally(() => joining.delete(name));
      joining.set(name, joined);
    }
    return joined;
  }

  /** The entry of a version, proven by hashes. Entries are read one at a time, so that none is read twice. */
  function readEntryOf(version: number): Promise<LogEntry> {
    const result = reading.then(() => readBack(storage, loaded.entry, version, log));
    reading = result.catch(() => {});
    return result;
  }

  return async (since, checksum, client, mostRemovals = Infinity) => {
    if (since < 1 || since > newest.version) return "unknown-token";
    if (since < newest.version - window) return "behind-window";
    const { contents } = (log.get(since) ?? (await readEntryOf(since))).manifest;
    if (contents.since !== since || !contents.checksum.startsWith(checksum)) return "unknown-token";
    const joined = kept.get(since) ?? (await joinedSince(since, contents, client));
    keep(since, joined);
    if (typeof joined === "string") return joined;
    return joined.removals.length > mostRemovals ? "limited" : joined;
  };
}
