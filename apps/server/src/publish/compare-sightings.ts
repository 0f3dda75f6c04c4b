import { viewOf } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  FIELDS,
  KEY_BYTES,
  RECORD_BYTES,
  type SeenSource,
  type SightingState,
  type SightingsFile,
  STATES,
} from "./sightings-file.ts";

/* Compares the entries that the sources of a list have now with its last sightings. */

/**
 * While sources are read, a record has the bytes of a hash, so that it is sorted as hashes are: the first 20 bytes of
 * the entry's hash, the number of the source (4 bytes), the line (4), and the date (4; 0 if there is none).
 */
export const UNSORTED = { source: 20, line: 24, date: 28 } as const;

/** How many lines of ended entries are named. */
const LINES = 10;
export const SECOND = 1000;
/** No source is known to have this number. */
const NONE = -1;
const {
  listed: LISTED,
  ended: ENDED,
  excepted: EXCEPTED,
} = Object.fromEntries(STATES.map((state, number) => [state, number])) as Record<
  SightingState,
  number
>;

/** The key by which an entry is known, in records and in sets. */
export const sightingKey = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, KEY_BYTES).toString("latin1");

// A view reads numbers several times as fast as a buffer does.
const haveSameKey = (a: DataView, i: number, b: DataView, j: number) =>
  a.getUint32(i) === b.getUint32(j) && a.getUint32(i + 4) === b.getUint32(j + 4);

const sourceAt = (records: DataView, at: number) => records.getUint32(at + FIELDS.source) >>> 8;

/** Whether the key at `i` comes before the one at `j`. */
function isBefore(a: DataView, i: number, b: DataView, j: number): boolean {
  const x = a.getUint32(i);
  const y = b.getUint32(j);
  return x < y || (x === y && a.getUint32(i + 4) < b.getUint32(j + 4));
}

/** What is known of one source while sightings are compared. */
export interface ComparedSource {
  readonly name: string;
  /** In seconds. */
  readonly expireAfter: number | null;
  readonly asOf: number;
  nextEnd: number | null;
  count: number;
  all: number;
  readonly lines: number[];
  /**
   * When the source first had the entry that is compared now, or 0 if it did not have it before, and its state then.
   */
  since: number;
  state: number;
}

/** What a comparison finds. */
interface Compared {
  /** The new records. */
  readonly records: Uint8Array;
  /** The keys of the entries that are on the list no more because they ended. */
  readonly ended: ReadonlySet<string>;
  /** How many of them were on the list before. */
  readonly gone: number;
}

/** Compares a list with its last sightings, byte by byte. */
interface Comparer {
  /** What is known of each source so far. */
  readonly compared: readonly ComparedSource[];
  /** Compares the records that begin with one byte. Both buffers are sorted. */
  compare(piece: Uint8Array, oldRecords: Uint8Array): Compared;
}

/** A source whose entries are recorded. */
export interface SightedSource extends Pick<SeenSource, "key" | "name"> {
  /**
   * How long the source's entries stay on the list, in milliseconds; `null` if they stay as long as the source has
   * them.
   */
  readonly expireAfter: number | null;
  /**
   * The time up to which the source is known, in milliseconds since 1970. A source that is away does not make its
   * entries older.
   */
  readonly asOf: number;
}

export interface ComparerOptions {
  readonly sources: readonly SightedSource[];
  /** The last sightings; `null` if there are none, or if they are lost. */
  readonly last: SightingsFile | null;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** @param isExcepted whether an exception leaves out the entry with the hash at an index, in one source. */
export function sightingsComparer(
  options: ComparerOptions,
  isExcepted: (hashes: Uint8Array, at: number, source: number) => boolean,
): Comparer {
  const { sources, last } = options;
  const now = Math.floor(options.now / SECOND);
  const compared = sources.map(
    ({ name, expireAfter, asOf }): ComparedSource => ({
      name,
      expireAfter: expireAfter === null ? null : Math.ceil(expireAfter / SECOND),
      asOf: Math.floor(Math.min(asOf, options.now) / SECOND),
      nextEnd: null,
      count: 0,
      all: 0,
      lines: [],
      since: 0,
      state: NONE,
    }),
  );
  /** The numbers that the sources of the last sightings have now. */
  const numbers = (last?.facts.sources ?? []).map(({ key }) =>
    sources.findIndex((source) => source.key === key),
  );

  function sourceIn(old: DataView, at: number): ComparedSource | undefined {
    return compared[numbers[sourceAt(old, at)] ?? NONE];
  }

  /** Notes what the last sightings say of an entry. Returns since when it has been on the list; 0 if it was not. */
  function recall(old: DataView, from: number, to: number): number {
    let listed = 0;
    for (let at = from; at < to; at += RECORD_BYTES) {
      const state = old.getUint8(at + FIELDS.state);
      if (state === LISTED) listed = old.getUint32(at + FIELDS.listed);
      const source = sourceIn(old, at);
      if (source === undefined) continue;
      source.since = old.getUint32(at + FIELDS.since);
      source.state = state;
    }
    return listed;
  }

  function forget(old: DataView, from: number, to: number): void {
    for (let at = from; at < to; at += RECORD_BYTES) {
      const source = sourceIn(old, at);
      if (source === undefined) continue;
      source.since = 0;
      source.state = NONE;
    }
  }

  function compare(piece: Uint8Array, oldRecords: Uint8Array): Compared {
    const all = new Uint8Array((piece.length / FULL_HASH_BYTES) * RECORD_BYTES);
    const [fresh, old, records] = [piece, oldRecords, all].map(viewOf) as [
      DataView,
      DataView,
      DataView,
    ];
    const ended = new Set<string>();
    let gone = 0;
    let used = 0;
    let oldAt = 0;
    for (let from = 0; from < piece.length; ) {
      let to = from + FULL_HASH_BYTES;
      while (to < piece.length && haveSameKey(fresh, from, fresh, to)) to += FULL_HASH_BYTES;
      while (oldAt < oldRecords.length && isBefore(old, oldAt, fresh, from)) oldAt += RECORD_BYTES;
      let oldEnd = oldAt;
      while (oldEnd < oldRecords.length && haveSameKey(old, oldEnd, fresh, from))
        oldEnd += RECORD_BYTES;
      const listedBefore = recall(old, oldAt, oldEnd);
      const first = used;
      let isListed = false;
      let hasEnded = false;
      let before = NONE;
      for (let at = from; at < to; at += FULL_HASH_BYTES) {
        const number = fresh.getUint32(at + UNSORTED.source);
        // A source may repeat an entry. The first line counts.
        if (number === before) continue;
        before = number;
        const source = compared[number]!;
        const line = fresh.getUint32(at + UNSORTED.line);
        const since = source.since || now;
        const state = isExcepted(piece, at, number)
          ? EXCEPTED
          : judge(source, newestDate(fresh, at, to) || since, line);
        if (state === LISTED) isListed = true;
        if (state === ENDED) hasEnded = true;
        records.setUint32(used, fresh.getUint32(from));
        records.setUint32(used + 4, fresh.getUint32(from + 4));
        records.setUint32(used + FIELDS.source, number * 2 ** 8 + state);
        records.setUint32(used + FIELDS.line, line);
        records.setUint32(used + FIELDS.since, since);
        used += RECORD_BYTES;
      }
      if (isListed) {
        for (let at = first; at < used; at += RECORD_BYTES)
          records.setUint32(at + FIELDS.listed, listedBefore || now);
      } else if (hasEnded) {
        ended.add(sightingKey(piece.subarray(from)));
        if (listedBefore > 0) gone++;
      }
      forget(old, oldAt, oldEnd);
      oldAt = oldEnd;
      from = to;
    }
    return { records: all.subarray(0, used), ended, gone };
  }

  return { compared, compare };
}

/** The newest date of an entry in one source, which may repeat it; 0 if there is none. */
function newestDate(fresh: DataView, from: number, to: number): number {
  const number = fresh.getUint32(from + UNSORTED.source);
  let newest = 0;
  for (let at = from; at < to; at += FULL_HASH_BYTES) {
    if (fresh.getUint32(at + UNSORTED.source) !== number) break;
    newest = Math.max(newest, fresh.getUint32(at + UNSORTED.date));
  }
  return newest;
}

/** The state of an entry whose age counts from a time. */
function judge(source: ComparedSource, since: number, line: number): number {
  const { expireAfter, asOf, lines } = source;
  if (expireAfter === null) return LISTED;
  if (since + expireAfter > asOf) {
    source.nextEnd = Math.min(source.nextEnd ?? Number.POSITIVE_INFINITY, since + expireAfter);
    return LISTED;
  }
  source.all++;
  if (source.state === LISTED) {
    source.count++;
    if (lines.length < LINES) lines.push(line);
  }
  return ENDED;
}
