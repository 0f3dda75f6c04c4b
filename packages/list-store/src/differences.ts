import type { PrefixLength, PrefixListDifference, RawHashes } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { joinChanges, riceBytes, type StoredObject } from "./block.ts";
import {
  type Change,
  joinConsecutive,
  longerRemovalsOf,
  netChange,
  removalsOf,
  rowSets,
} from "./change.ts";
import type { Contents } from "./manifest.ts";
import { bytesOf, PREFIX_BYTES, type PrefixWords, WORD_SETS } from "./words.ts";

/** The reason why a client gets a full update instead of a difference. */
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
 * The difference since a version, or the reason why there is none. `checksum` is the beginning of the version's
 * checksum according to the client, and `mostRemovals` is the number of removals that the client accepts.
 */
export type DifferenceSince = (
  since: number,
  checksum: string,
  client: string,
  mostRemovals?: number,
) => Promise<PrefixListDifference | NoDifference>;

/** The size of a difference divided by that of the whole list, both as Rice codes. The old list has `old` prefixes. */
function bytesAByte(
  { prefixBytes, count }: PrefixLength,
  old: number,
  { removed, added }: Change<number>,
): number {
  // Firefox skips empty full updates, so a list is always emptied by a difference.
  if (count === 0) return 0;
  const end = 2 ** (8 * prefixBytes);
  const bytes = riceBytes(removed, Math.max(removed, old)) + riceBytes(added, end);
  return bytes / riceBytes(count, end);
}

/**
 * Changes are joined only if they are at most this many times as large as the list. After joining, a prefix that
 * changed twice counts at most once, so the joined change may be much smaller.
 */
const MAX_UNJOINED = 2;

/** The newest version of a list, with prefixes of four bytes or with longer ones. */
export type NewestVersion = Omit<Versions, "before"> | Omit<LongerVersions, "before">;

function lengthsOf(newest: NewestVersion): PrefixLength {
  if (!("longer" in newest)) return { prefixBytes: PREFIX_BYTES, count: newest.words.length };
  const { prefixBytes, rawHashes } = newest.longer;
  return { prefixBytes, count: rawHashes.length / prefixBytes };
}

/** The source of the differences to the newest version of a list. */
export interface DifferenceSource<Old extends Versions["before"]> {
  readonly newest: NewestVersion;
  /** The version that a client says it has, or the reason why there is no difference from that version. */
  find(since: number, checksum: string): Promise<Old | NoDifference>;
  /**
   * The changes since an older version, the newest first; `null` when `isTooMuch` returns `true` for the changes found
   * so far. A prefix that changed twice is counted twice.
   */
  changesSince(
    old: Old,
    isTooMuch: (counts: Change<number>) => boolean,
  ): Promise<(DifferenceParts | LongerDifferenceParts)["changes"] | null>;
}

/** Options for making differences. */
export interface DifferenceOptions {
  /** Decides which client's difference is made next; by default, the first one that was requested. */
  readonly queue?: WorkQueue | undefined;
  /** Makes a difference, for example in another thread. */
  readonly makeDifference?: MakeDifference | undefined;
}

/**
 * Returns a function that gives clients the differences from older versions.
 *
 * When the client cannot have the version it names, or when the changes since then are more than twice as large as the
 * list, no changes are joined. Otherwise, the changes are joined when a client asks for a difference, and the result is
 * cached for other clients.
 */
export function differencesTo<Old extends Versions["before"]>(
  { newest, find, changesSince }: DifferenceSource<Old>,
  { queue = inOrder(), makeDifference: make = (parts) => makeDifference(parts) }: DifferenceOptions,
): DifferenceSince {
  const cached = differenceCache(queue);
  const lengths = lengthsOf(newest);
  const sizeOf = (old: Old, counts: Change<number>) => bytesAByte(lengths, old.prefixes, counts);

  /** Joins the changes since a version; `full-is-smaller` when the whole list takes fewer bytes. */
  async function join(old: Old): Promise<Joined> {
    let entries = 0;
    const changes = await changesSince(old, (counts) => {
      entries = counts.removed + counts.added;
      return sizeOf(old, counts) > MAX_UNJOINED;
    });
    if (changes === null) return "full-is-smaller";
    const { prefixes, checksum } = old;
    const parts = { ...newest, before: { prefixes, checksum }, changes };
    const difference = await make(parts as DifferenceParts | LongerDifferenceParts, entries);
    const removed = difference.removals.length;
    const joined = { removed, added: entriesIn(difference) - removed };
    return sizeOf(old, joined) > 1 ? "full-is-smaller" : difference;
  }

  return async (since, checksum, client, mostRemovals = Infinity) => {
    const old = await find(since, checksum);
    if (typeof old === "string") return old;
    // The checksum alone is not enough: two versions with the same prefixes have different changes since then.
    const key = `${since} ${old.checksum}`;
    const joined = await cached(key, client, () => join(old));
    if (typeof joined === "string") return joined;
    return joined.removals.length > mostRemovals ? "limited" : joined;
  };
}

/** The difference since a version, or the fact that the whole list is smaller. */
type Joined = PrefixListDifference | "full-is-smaller";

const lengthOf = (joined: Joined) => (typeof joined === "string" ? 0 : entriesIn(joined));

/** The maximum number of entries in all cached differences. A single difference may have more. */
const MAX_KEPT_ENTRIES = 2 ** 21;

/**
 * Returns a function that gives the difference with a key. If the difference is not cached, `join` makes it when the
 * client's turn in the queue comes.
 */
function differenceCache(
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

/** A map that drops the least recently used values. */
interface RecentlyUsed<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Makes a map whose values have a total size of at most `most`. A single larger value is kept until the next one is
 * added.
 */
export function recentlyUsed<Key, Value>(
  most: number,
  sizeOf: (value: Value) => number,
): RecentlyUsed<Key, Value> {
  /** The values, the most recently used last. */
  const values = new Map<Key, Value>();
  let size = 0;

  function drop(key: Key): void {
    if (values.has(key)) size -= sizeOf(values.get(key)!);
    values.delete(key);
  }

  function set(key: Key, value: Value): void {
    drop(key);
    values.set(key, value);
    size += sizeOf(value);
    for (const oldest of values.keys()) {
      if (size <= most || oldest === key) break;
      drop(oldest);
    }
  }

  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return value;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set,
  };
}

/** Decides which client's work is done next. */
export interface WorkQueue {
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result>;
}

/** Returns a queue that runs tasks in the order in which they were requested. */
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

/** The two versions that a difference connects, without the prefixes of the newer one. */
interface BothVersions {
  readonly checksum: string;
  readonly before: Pick<Contents, "prefixes" | "checksum">;
  readonly list: string;
  /** The time of the newer version, in milliseconds since 1970. */
  readonly created: number;
}

/** Two versions of a list with prefixes of four bytes. */
interface Versions extends BothVersions {
  /** The prefixes of the newer version. */
  readonly words: PrefixWords;
}

/** Two versions of a list with longer prefixes, all of the same length. */
interface LongerVersions extends BothVersions {
  /** The prefixes of the newer version. */
  readonly longer: RawHashes;
}

/**
 * The fields of a difference besides removals and additions. The newer version has `count` prefixes of `prefixBytes`
 * bytes.
 */
function factsOf(
  { checksum, before, list, created }: BothVersions,
  { prefixBytes, count }: PrefixLength,
): Omit<PrefixListDifference, "removals" | "additions"> {
  const lengths = (count: number, checksum: string) =>
    count === 0 ? [] : [{ prefixBytes, count, checksum }];
  return {
    name: list,
    created,
    oldChecksum: before.checksum,
    checksum,
    oldLengths: lengths(before.prefixes, before.checksum),
    lengths: lengths(count, checksum),
  };
}

function differenceOf(versions: Versions, change: Change<PrefixWords>): PrefixListDifference {
  const { words } = versions;
  const rawHashes = bytesOf(change.added);
  return {
    ...factsOf(versions, { prefixBytes: PREFIX_BYTES, count: words.length }),
    removals: removalsOf(words, change),
    additions: rawHashes.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes }],
  };
}

function longerDifferenceOf(
  versions: LongerVersions,
  change: Change<Uint8Array>,
): PrefixListDifference {
  const { prefixBytes, rawHashes } = versions.longer;
  const { added } = change;
  return {
    ...factsOf(versions, { prefixBytes, count: rawHashes.length / prefixBytes }),
    removals: longerRemovalsOf(rawHashes, change, prefixBytes),
    additions: added.length === 0 ? [] : [{ prefixBytes, rawHashes: added }],
  };
}

/** The input of {@link makeDifference} for prefixes of four bytes. */
export interface DifferenceParts extends Versions {
  /** The changes from the older version to the newer one, the newest first. */
  readonly changes: readonly (Change<PrefixWords> | StoredObject)[];
}

/** The input of {@link makeDifference} for longer prefixes. */
export interface LongerDifferenceParts extends LongerVersions {
  /** The changes from the older version to the newer one, the newest first. */
  readonly changes: readonly Change<Uint8Array>[];
}

/**
 * Makes a difference, in this thread or another one. `entries` is an estimate of the work. The bytes of objects may be
 * transferred to the other thread.
 */
export type MakeDifference = (
  parts: DifferenceParts | LongerDifferenceParts,
  entries: number,
) => PrefixListDifference | Promise<PrefixListDifference>;

/** Makes a difference in this thread. */
export function makeDifference(
  parts: DifferenceParts | LongerDifferenceParts,
): PrefixListDifference {
  if ("longer" in parts) {
    const { changes, ...versions } = parts;
    const sets = rowSets(versions.longer.prefixBytes);
    return longerDifferenceOf(versions, netChange(joinConsecutive(changes, sets), sets));
  }
  const { changes, ...versions } = parts;
  return differenceOf(versions, netChange(joinChanges(changes), WORD_SETS));
}

/** The number of removals and additions in a difference. */
export function entriesIn({
  removals,
  additions,
}: Pick<PrefixListDifference, "removals" | "additions">): number {
  return removals.length + countEntries(additions);
}
