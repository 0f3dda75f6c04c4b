import type { CanonicalUrl } from "@x/canon";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import type { PrefixList } from "@x/prefix-list";
import { createHashBatch, type HashEngine } from "@x/sha256-prefix/batch";
import { findListed, type ReadingMatches } from "./find-listed.ts";
import { plainMatches } from "./plain-matches.ts";
import type { Reading } from "./verdict.ts";
import { write, writeCanonical } from "./write.ts";

/** How many bytes `fill` takes. */
export const FILL_BYTES: number = 1 << 16;
/** Room beside them, for the canonical forms of URLs that are not canonical as they stand. */
const SPILL_BYTES = 1 << 15;
/** With less room than this a batch is full. A canonical form that is longer may not fit even before. */
const LEAST_ROOM = 1 << 12;
/** Enough to keep every lane of the hash engine busy, and few enough for the processor's cache. */
const SLICES = 1 << 10;
/** How many readings a batch holds; those that do not fit into its bytes have no slices. */
const READINGS = 2 * SLICES;
/** The most slices that the readings of one URL have. */
const MAX_SLICES_OF_URL = 2 * MAX_EXPRESSIONS;

/** Canonical URLs that wait to be hashed and looked up together: the readings of what was given. */
export interface ReadingBatch {
  readonly engine: HashEngine;
  /** How many readings wait. */
  count(): number;
  /** Whether the readings of one more URL may find no room. */
  isFull(): boolean;
  /** Puts bytes into the batch, and forgets those that were put in before. */
  fill(bytes: Uint8Array): void;
  /** A copy of the bytes from `start` to `end` of those that `fill` put in. */
  copyFilled(start: number, end: number): Uint8Array;
  /** Adds the URL from `start` to `end` of those bytes, if it is canonical as it stands; else returns `false`. */
  addFilledIfCanonical(start: number, end: number, reading: Reading): boolean;
  /** Adds text or bytes, if that is a URL that is canonical as it stands; else returns `false`. */
  addIfCanonical(url: string | Uint8Array, reading: Reading): boolean;
  /** Adds a canonical URL. */
  addUrl(url: CanonicalUrl, reading: Reading): void;
  /** Adds a canonical URL as {@link addUrl} does, and looks it up at once. */
  addPlain(url: CanonicalUrl, reading: Reading): void;
  /** Hashes the waiting readings and looks them up. Returns what is listed, in their order. */
  lookUp(): readonly ReadingMatches[];
  /** Forgets the waiting readings. */
  clear(): void;
}

export function createReadingBatch(
  lists: readonly PrefixList[],
  options: ExpressionOptions,
  engine: HashEngine | "auto",
): ReadingBatch {
  const capacity = { bytes: FILL_BYTES + SPILL_BYTES, slices: SLICES };
  const hashing = createHashBatch({ ...capacity, engine });
  const { bytes, starts, ends } = hashing;
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  /** For each reading, the index after its last slice, and whose reading it is. */
  const sliceEnds = new Uint32Array(READINGS);
  const readings: Reading[] = [];
  /** The matches of readings that are looked up already. */
  let known: ReadingMatches[] = [];
  let count = 0;
  let slices = 0;
  /** The bytes up to `filled` were put in by `fill`; those up to `used` are in use. */
  let filled = 0;
  let used = 0;

  /** Adds the reading at `spans`. */
  function addSlices(reading: Reading): void {
    slices += sliceExpressions(bytes, spans, options, starts, ends, slices);
    close(reading);
  }

  /** Counts a reading whose slices are all added. */
  function close(reading: Reading): void {
    sliceEnds[count] = slices;
    readings[count++] = reading;
  }

  function addPlain(url: CanonicalUrl, reading: Reading): void {
    const matches = plainMatches(url, reading, lists, options);
    if (matches.length > 0) known.push({ index: count, matches });
    close(reading);
  }

  return {
    engine: hashing.engine,
    count: () => count,
    isFull: () => slices + MAX_SLICES_OF_URL > SLICES || bytes.length - used < LEAST_ROOM,

    fill(source) {
      bytes.set(source);
      filled = source.length;
      used = filled;
    },

    copyFilled: (start, end) => bytes.slice(start, end),

    addFilledIfCanonical(start, end, reading) {
      if (!verifyCanonical(bytes, start, end, spans)) return false;
      addSlices(reading);
      return true;
    },

    addIfCanonical(url, reading) {
      const end = write(url, bytes, used);
      if (end < 0 || !verifyCanonical(bytes, used, end, spans)) return false;
      used = end;
      addSlices(reading);
      return true;
    },

    addUrl(url, reading) {
      if (!writeCanonical(url, bytes, used, spans)) return addPlain(url, reading);
      used = spans.end;
      addSlices(reading);
    },

    addPlain,

    lookUp() {
      hashing.run(slices);
      const found = findListed(hashing, slices, sliceEnds, readings, lists);
      if (known.length === 0) return found;
      return [...known, ...found].sort((a, b) => a.index - b.index);
    },

    clear() {
      if (known.length > 0) known = [];
      count = 0;
      slices = 0;
      used = filled;
    },
  };
}
