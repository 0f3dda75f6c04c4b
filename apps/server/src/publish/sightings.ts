import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { ScratchFile } from "../storage/scratch-file.ts";
import {
  type ComparerOptions,
  SECOND,
  sightingKey,
  sightingsComparer,
  UNSORTED,
} from "./compare-sightings.ts";
import type { Expected } from "./removal-limits.ts";
import { RECORD_BYTES, type SeenSource, type SightingsFacts } from "./sightings-file.ts";
import { hashSorter } from "./sort-hashes.ts";

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

export interface RecorderOptions extends ComparerOptions {
  /** Whether the list is new, so that nothing was seen before. */
  readonly isNew: boolean;
  /** The file for long lists. It must stay open until the records are written. */
  readonly scratch: ScratchFile;
}

const DAY = 24 * 60 * 60 * 1000;
/** If the sources were last read longer ago, the clock may be wrong, and what ends needs the operator's permission. */
const LONG_AGO = 7 * DAY;
/** At most this many bytes of the records for each first byte stay in memory. */
const IN_MEMORY = 2 ** 16;

export function sightingsRecorder(options: RecorderOptions): SightingsRecorder {
  const { sources, last, isNew, scratch } = options;
  const sorter = hashSorter(scratch);
  const unsorted = new Uint8Array(FULL_HASH_BYTES);
  const fields = new DataView(unsorted.buffer);
  const excepted = new Set<string>();
  const exceptedKey = (hash: Uint8Array, source: number) => `${source} ${sightingKey(hash)}`;
  const { compared, compare } = sightingsComparer(
    options,
    (hashes, at, source) =>
      excepted.size > 0 && excepted.has(exceptedKey(hashes.subarray(at), source)),
  );
  /** The records, or where they are in the file. */
  const chunks: (Uint8Array | { readonly start: number; readonly length: number })[] = [];
  const counts: number[] = [];
  let pieces: Iterator<Uint8Array> | null = null;
  let gone = 0;

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
      const { records, ended, gone: goneNow } = compare(piece, old);
      gone += goneNow;
      counts.push(records.length / RECORD_BYTES);
      const { length } = records;
      chunks.push(length <= IN_MEMORY ? records : { start: scratch.append(records), length });
      return ended;
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
          begun: last === null ? (isNew ? 0 : Math.floor(options.now / SECOND)) : last.facts.begun,
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
