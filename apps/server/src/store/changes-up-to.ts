import { type LogEntry, readPrevious } from "./commit-log.ts";
import type { LoadedList } from "./list-reader.ts";
import { getUncheckedObject } from "./objects.ts";
import {
  differenceInSlices,
  joinInSlices,
  type ListDifference,
  type PrefixChange,
  wordsIn,
} from "./prefix-change.ts";
import type { PrefixWords } from "./prefix-words.ts";
import { type DecodeSnapshot, decodeSnapshot } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";

/** Why a client gets no difference, and so a full update. */
export type NoDifference =
  /** No client of this list was ever given its version. */
  | "unknown-token"
  /** It is too old. */
  | "behind-window"
  /** A full update is smaller. */
  | "full-is-smaller";

/**
 * What changed since a version, or why there is no difference from it. `checksum` is the start of the checksum that the
 * version has according to the client.
 */
export type ChangesSince = (
  since: number,
  checksum: string,
  client: string,
) => Promise<ListDifference | NoDifference>;

/** Decides whose work is done next. */
export interface WorkQueue {
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result>;
}

/** How many words the joined changes that are kept may have together. A single one may have more. */
const MAX_KEPT_WORDS = 2 ** 22;

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

/**
 * Returns a function that says what changed in a loaded list since older versions.
 *
 * If the signed log shows that a client cannot have the version it names, no changes are read. Changes are read from the
 * store when a client asks for them, and joined, newest first, once for all clients. `decode` may do its work in another
 * thread.
 */
export function changesUpTo(
  storage: Storage,
  loaded: LoadedList,
  window: number,
  queue: WorkQueue = inOrder(),
  decode: DecodeSnapshot = decodeSnapshot,
): ChangesSince {
  const newest = loaded.entry.manifest;
  const log = new Map(loaded.log);
  /** By version: what changed since that version. The most recently used one comes last. */
  const kept = new Map<number, PrefixChange>();
  let keptWords = 0;
  /** For this version and older ones, a full update is smaller. */
  let tooLarge = 0;
  /** What is being joined, by the version and the client that waits for it. */
  const joining = new Map<string, Promise<PrefixChange | null>>();
  /** Settles when the parts of the log that were asked for have been read. */
  let reading: Promise<unknown> = Promise.resolve();

  async function readWords(object: string): Promise<PrefixWords> {
    return (await decode(await getUncheckedObject(storage, object), object)).words;
  }

  function isTooLarge(change: PrefixChange): boolean {
    // Firefox skips a full update that is empty: a list is always emptied by a difference.
    return loaded.words.length > 0 && wordsIn(change) > loaded.words.length;
  }

  function keep(since: number, change: PrefixChange): void {
    const before = kept.get(since);
    if (before !== undefined) keptWords -= wordsIn(before);
    kept.delete(since);
    kept.set(since, change);
    keptWords += wordsIn(change);
    for (const [version, each] of kept) {
      if (keptWords <= MAX_KEPT_WORDS || version === since) return;
      kept.delete(version);
      keptWords -= wordsIn(each);
    }
  }

  /**
   * Joins the changes back to a version; `null` when they become too large.
   *
   * Changes of similar length are joined first, as in a merge sort. Joining each with all newer ones would take time
   * that is quadratic in their number.
   */
  async function joinBackTo(since: number): Promise<PrefixChange | null> {
    const start = Math.min(
      newest.version,
      ...[...kept.keys()].filter((version) => version >= since),
    );
    /** Consecutive changes, the newest first. Each has less than half as many words as the one before. */
    const parts = [kept.get(start) ?? { removed: new Uint32Array(0), added: new Uint32Array(0) }];
    const joinLast = async () => {
      const [later, earlier] = parts.splice(-2);
      parts.push(await joinInSlices(earlier!, later!));
    };
    for (let version = start; version > since; version--) {
      const { change } = (await entryOf(version)).manifest;
      if (change === null) continue;
      const [removed, added] = [await readWords(change.removed), await readWords(change.added)];
      parts.push({ removed, added });
      while (parts.length > 1 && 2 * wordsIn(parts.at(-1)!) >= wordsIn(parts.at(-2)!)) {
        await joinLast();
      }
      if (parts.length === 1 && isTooLarge(parts[0]!)) {
        tooLarge = Math.max(tooLarge, version - 1);
        return null;
      }
    }
    while (parts.length > 1) await joinLast();
    const [joined] = parts;
    if (isTooLarge(joined!)) {
      tooLarge = Math.max(tooLarge, since);
      return null;
    }
    keep(since, joined!);
    return joined!;
  }

  /** The change since a version: the one that is kept, or one that is joined when it is the client's turn. */
  function changeSince(since: number, client: string): Promise<PrefixChange | null> {
    const name = `${since} ${client}`;
    let change = joining.get(name);
    if (change === undefined) {
      change = queue
        .run(client, async () => {
          // Another client may have asked for the same change in the meantime.
          if (since <= tooLarge) return null;
          return kept.get(since) ?? joinBackTo(since);
        })
        .finally(() => joining.delete(name));
      joining.set(name, change);
    }
    return change;
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

  return async (since, checksum, client) => {
    if (since < 1 || since > newest.version) return "unknown-token";
    if (since < newest.version - window) return "behind-window";
    const { contents } = (log.get(since) ?? (await readEntryOf(since))).manifest;
    if (contents.since !== since || !contents.checksum.startsWith(checksum)) return "unknown-token";
    if (since <= tooLarge) return "full-is-smaller";
    const change = kept.get(since) ?? (await changeSince(since, client));
    if (change === null) return "full-is-smaller";
    keep(since, change);
    const checksums = { oldChecksum: contents.checksum, checksum: loaded.prefixes.checksum };
    return differenceInSlices(loaded.words, change, checksums);
  };
}
