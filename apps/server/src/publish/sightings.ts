import { viewOf } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { ScratchFile } from "../storage/scratch-file.ts";
import type { Expected } from "./removal-limits.ts";
import {
  FIELDS,
  KEY_BYTES,
  RECORD_BYTES,
  type SeenSource,
  type SightingState,
  type SightingsFacts,
  type SightingsFile,
  STATES,
} from "./sightings-file.ts";
import { hashSorter } from "./sort-hashes.ts";

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

/** Entries of a source that ended since they were last read. */
export interface EndedEntries {
  readonly source: string;
  readonly expireAfter: number;
  readonly count: number;
  /** The lines of the first few. */
  readonly lines: readonly number[];
  /** How many entries of the source have ended, now or earlier, and are still in it. */
  readonly all: number;
}

/** The sightings of a list after its sources have been read. */
export interface Sightings {
  readonly ended: readonly EndedEntries[];
  /** How many entries of sources have ended, now or earlier. */
  readonly allEnded: number;
  /**
   * How many entries leave the list because they ended, and how many did in the last 24 hours. Without those that end
   * now if the sources were last read so long ago that the clock may be wrong.
   */
  readonly expected: Expected;
  /** @param read how each source was read. */
  facts(made: MadeFrom, read: readonly ReadSource[]): SightingsFacts;
  records(): Iterable<Uint8Array>;
}

/** What a version was made from, besides the entries of its sources. */
export type MadeFrom = Pick<SightingsFacts, "entries" | "identity" | "said">;

export type ReadSource = Pick<SeenSource, "how" | "bytes" | "sha256">;

/** Records where the entries of a list are, while its sources are read. */
export interface SightingsRecorder {
  /** @param date from when the age of the entry counts, in seconds since 1970; `null` for first sight. */
  add(hash: Uint8Array, source: number, line: number, date: number | null): void;
  /** Records that an exception leaves out an entry of a source. */
  leaveOut(hash: Uint8Array, source: number): void;
  /** Begins to compare with the last sightings. Afterwards, nothing may be added. */
  sort(beforeSort?: (share: number) => Promise<void>): Promise<void>;
  /**
   * Compares the hashes that begin with a byte, and returns the keys of those that are on the list no more because they
   * ended. Called with each byte in turn.
   */
  endedOf(firstByte: number): Promise<ReadonlySet<string>>;
  /** The result, after all bytes. */
  result(): Sightings;
}

export interface RecorderOptions {
  readonly sources: readonly SightedSource[];
  /** The last sightings; `null` if there are none, or if they are lost. */
  readonly last: SightingsFile | null;
  /** Whether the list is new, so that nothing was seen before. */
  readonly isNew: boolean;
  /** The file for long lists. It must stay open until the records are written. */
  readonly scratch: ScratchFile;
  readonly now: number;
}

/**
 * While sources are read, a record has the bytes of a hash, so that it is sorted as hashes are: the first 20 bytes of
 * the entry's hash, the number of the source (4 bytes), the line (4), and the date (4; 0 if there is none).
 */
const UNSORTED = { source: 20, line: 24, date: 28 } as const;

const DAY = 24 * 60 * 60 * 1000;
/** If the sources were last read longer ago, the clock may be wrong, and what ends needs the operator's permission. */
const LONG_AGO = 7 * DAY;
const LINES = 10;
/** At most this many bytes of the records for each first byte stay in memory. */
const IN_MEMORY = 2 ** 16;
const SECOND = 1000;
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
interface Comparison {
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

export function sightingsRecorder(options: RecorderOptions): SightingsRecorder {
  const { sources, last, isNew, scratch } = options;
  const now = Math.floor(options.now / SECOND);
  const sorter = hashSorter(scratch);
  const unsorted = new Uint8Array(FULL_HASH_BYTES);
  const fields = new DataView(unsorted.buffer);
  const excepted = new Set<string>();
  const exceptedKey = (hash: Uint8Array, source: number) => `${source} ${sightingKey(hash)}`;
  const compared = sources.map(
    ({ name, expireAfter, asOf }): Comparison => ({
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
  /** The records, or where they are in the file. */
  const chunks: (Uint8Array | { readonly start: number; readonly length: number })[] = [];
  const counts: number[] = [];
  let pieces: Iterator<Uint8Array> | null = null;
  let gone = 0;

  /** Notes what the last sightings say of an entry. Returns since when it has been on the list; 0 if it was not. */
  function recall(old: DataView, from: number, to: number): number {
    let listed = 0;
    for (let at = from; at < to; at += RECORD_BYTES) {
      const state = old.getUint8(at + FIELDS.state);
      if (state === LISTED) listed = old.getUint32(at + FIELDS.listed);
      const source = compared[numbers[sourceAt(old, at)] ?? NONE];
      if (source === undefined) continue;
      source.since = old.getUint32(at + FIELDS.since);
      source.state = state;
    }
    return listed;
  }

  function forget(old: DataView, from: number, to: number): void {
    for (let at = from; at < to; at += RECORD_BYTES) {
      const source = compared[numbers[sourceAt(old, at)] ?? NONE];
      if (source === undefined) continue;
      source.since = 0;
      source.state = NONE;
    }
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
  function judge(source: Comparison, since: number, line: number): number {
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

  /** Compares the records that begin with one byte. Both buffers are sorted. */
  function compare(
    piece: Uint8Array,
    oldRecords: Uint8Array,
  ): { records: Uint8Array; gone: Set<string> } {
    const all = new Uint8Array((piece.length / FULL_HASH_BYTES) * RECORD_BYTES);
    const [fresh, old, records] = [piece, oldRecords, all].map(viewOf) as [
      DataView,
      DataView,
      DataView,
    ];
    const keys = new Set<string>();
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
        const isExcepted =
          excepted.size > 0 && excepted.has(exceptedKey(piece.subarray(at), number));
        const state = isExcepted
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
        keys.add(sightingKey(piece.subarray(from)));
        if (listedBefore > 0) gone++;
      }
      forget(old, oldAt, oldEnd);
      oldAt = oldEnd;
      from = to;
    }
    return { records: all.subarray(0, used), gone: keys };
  }

  return {
    add(hash, source, line, date) {
      // A copy by `set` needs a view of the hash, which takes five times as long.
      for (let i = 0; i < UNSORTED.source; i++) unsorted[i] = hash[i]!;
      fields.setUint32(UNSORTED.source, source);
      fields.setUint32(UNSORTED.line, line);
      fields.setUint32(UNSORTED.date, date ?? 0);
      sorter.add(unsorted, source);
    },
    leaveOut: (hash, source) => void excepted.add(exceptedKey(hash, source)),
    async sort(beforeSort) {
      pieces = ((await sorter.sorted(beforeSort)).pieces() as Iterable<Uint8Array>)[
        Symbol.iterator
      ]();
    },
    async endedOf(firstByte) {
      const piece: Uint8Array = pieces!.next().value;
      const old = (await last?.recordsOf(firstByte)) ?? new Uint8Array(0);
      const { records, gone: keys } = compare(piece, old);
      counts.push(records.length / RECORD_BYTES);
      const { length } = records;
      chunks.push(length <= IN_MEMORY ? records : { start: scratch.append(records), length });
      return keys;
    },
    result() {
      const { read = 0, endings = [] } = last?.facts ?? {};
      const before = endings.filter(([at]) => at > options.now - DAY && at <= options.now);
      const all = gone === 0 ? before : [...before, [options.now, gone] as const];
      const isTrusted = options.now - read <= LONG_AGO;
      return {
        expected: isTrusted ? { gone, endings: all } : { gone: 0, endings: before },
        allEnded: compared.reduce((sum, source) => sum + source.all, 0),
        ended: compared.flatMap(({ name, count, all: every, lines, expireAfter }) =>
          count === 0
            ? []
            : {
                source: name,
                expireAfter: expireAfter! * SECOND,
                count,
                lines: lines.toSorted((a, b) => a - b),
                all: every,
              },
        ),
        facts: (made, read) => ({
          ...made,
          read: options.now,
          begun: last === null ? (isNew ? 0 : now) : last.facts.begun,
          sources: sources.map(({ key, name }, i) => ({
            key,
            name,
            ...read[i]!,
            nextEnd: compared[i]!.nextEnd,
            ended: compared[i]!.all,
          })),
          counts,
          endings: all,
        }),
        *records() {
          for (const chunk of chunks) {
            if (!("start" in chunk)) {
              yield chunk;
              continue;
            }
            const records = new Uint8Array(chunk.length);
            scratch.read(records, chunk.start);
            yield records;
          }
        },
      };
    },
  };
}
