import { type LogEntry, readPrevious } from "../log/commit-log.ts";
import type { Contents } from "../log/manifest.ts";
import type { Storage } from "../storage/storage.ts";
import { riceBytes } from "./encoded-bytes.ts";
import {
  type JoinedChanges,
  type JoinStoredChanges,
  joinStoredChanges,
  type StoredChange,
} from "./join-stored-changes.ts";
import type { LoadedList } from "./load-list.ts";
import { entriesIn, type ListDifference } from "./prefix-change.ts";
import { readStoredChange } from "./read-stored-change.ts";

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

/** The counts of all changes since a version. What was changed twice is counted twice. */
interface ChangeCounts {
  readonly removed: number;
  readonly added: number;
}

/**
 * How many times the bytes of the whole list all changes may take to be joined. What was changed twice counts twice, so the
 * difference may be much smaller; from here on, it rarely is.
 */
const MOST_TO_JOIN = 2;

/** How many times the bytes of the whole list a difference takes, as Rice codes. */
function partOf(list: Contents, old: Contents, { removed, added }: ChangeCounts): number {
  // Firefox skips a full update that is empty: a list is always emptied by a difference.
  if (list.prefixes === 0) return 0;
  const bytes = riceBytes(removed, Math.max(removed, old.prefixes)) + riceBytes(added, 2 ** 32);
  return bytes / riceBytes(list.prefixes, 2 ** 32);
}

/** The counts of a difference. */
function countsOf(difference: ListDifference): ChangeCounts {
  const removed = difference.removals.length;
  return { removed, added: entriesIn(difference) - removed };
}

/**
 * Returns a function that says what changed in a loaded list since older versions.
 *
 * Manifests say how many entries changed. When all changes since a version take far more bytes than the list, or when the
 * signed log shows that a client cannot have the version it names, no changes are read. Otherwise, they are read when a
 * client asks for them, and joined once for all clients. If the difference that results takes more bytes than the list,
 * clients get the list.
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
  const kept = new Map<number, JoinedChanges>();
  let keptEntries = 0;
  /** By version: the counts of all changes since that version. */
  const counts = new Map<number, ChangeCounts>([[newest.version, { removed: 0, added: 0 }]]);
  /** The versions whose difference takes more bytes than the list. */
  const larger = new Set<number>();
  /** What is being joined, by the version and the client that waits for it. */
  const joining = new Map<string, Promise<JoinedChanges>>();
  /** Settles when the parts of the log that were asked for have been read. */
  let reading: Promise<unknown> = Promise.resolve();

  function keep(since: number, joined: JoinedChanges): void {
    const before = kept.get(since);
    if (before !== undefined) keptEntries -= entriesIn(before.difference);
    kept.delete(since);
    kept.set(since, joined);
    keptEntries += entriesIn(joined.difference);
    for (const [version, { difference }] of kept) {
      if (keptEntries <= MAX_KEPT_ENTRIES || version === since) return;
      kept.delete(version);
      keptEntries -= entriesIn(difference);
    }
  }

  /** The counts of all changes since a version whose entry was read. */
  function countsSince(since: number): ChangeCounts {
    let known = since;
    while (!counts.has(known)) known++;
    for (; known > since; known--) {
      const { removed, added } = counts.get(known)!;
      const { removedEntries = 0, addedEntries = 0 } = log.get(known)!.manifest.change ?? {};
      counts.set(known - 1, { removed: removed + removedEntries, added: added + addedEntries });
    }
    return counts.get(since)!;
  }

  /** Joins the changes back to a version with those that were joined before. */
  async function joinBackTo(since: number, oldChecksum: string): Promise<JoinedChanges> {
    const starts = [...kept].filter(([version, { change }]) => change !== null && version >= since);
    const start = Math.min(newest.version, ...starts.map(([version]) => version));
    // It may be dropped while changes are read.
    const later = kept.get(start)?.change ?? null;
    const changes: StoredChange[] = [];
    for (let version = start; version > since; version--) {
      const { change } = log.get(version)!.manifest;
      if (change !== null) changes.push(await readStoredChange(storage, change));
    }
    const { removed, added } = countsSince(since);
    const joined = await join(
      {
        later,
        stored: changes,
        words: loaded.words,
        checksums: { oldChecksum, checksum: loaded.prefixes.checksum },
      },
      removed + added,
    );
    keep(since, joined);
    return joined;
  }

  /** The change since a version: the one that is kept, or one that is joined when it is the client's turn. */
  function joinedSince(since: number, oldChecksum: string, client: string): Promise<JoinedChanges> {
    const name = `${since} ${client}`;
    let joined = joining.get(name);
    if (joined === undefined) {
      // Another client may have asked for the same change in the meantime.
      const join = async () => kept.get(since) ?? joinBackTo(since, oldChecksum);
      joined = queue.run(client, join).finally(() => joining.delete(name));
      joining.set(name, joined);
    }
    return joined;
  }

  /** The entry of a version, proven by the chain of hashes from the newest one. */
  async function entryOf(version: number): Promise<LogEntry> {
    let known = version;
    while (!log.has(known)) known++;
    while (known > version) {
      log.set(known - 1, (await readPrevious(storage, log.get(known)!))!);
      known--;
    }
    return log.get(version)!;
  }

  /** The same, if it has to be read. Entries are read one at a time, so that none is read twice. */
  function readEntryOf(version: number): Promise<LogEntry> {
    const result = reading.then(() => entryOf(version));
    reading = result.catch(() => {});
    return result;
  }

  return async (since, checksum, client, mostRemovals = Infinity) => {
    if (since < 1 || since > newest.version) return "unknown-token";
    if (since < newest.version - window) return "behind-window";
    const { contents } = (log.get(since) ?? (await readEntryOf(since))).manifest;
    if (contents.since !== since || !contents.checksum.startsWith(checksum)) return "unknown-token";
    const counted = countsSince(since);
    const part = partOf(newest.contents, contents, counted);
    if (part > MOST_TO_JOIN || larger.has(since)) return "full-is-smaller";
    if (counted.removed > mostRemovals) return "limited";
    const joined = kept.get(since) ?? (await joinedSince(since, contents.checksum, client));
    keep(since, joined);
    if (partOf(newest.contents, contents, countsOf(joined.difference)) > 1) {
      larger.add(since);
      return "full-is-smaller";
    }
    return joined.difference;
  };
}
