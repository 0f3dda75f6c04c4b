import type { CanonicalUrl } from "@x/canon";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { createHashBatch, type HashEngine } from "@x/sha256-prefix/batch";
import { createExpressionBatch, SLICES } from "./expression-batch.ts";
import { findListed, type ReadingMatches } from "./find-listed.ts";
import type { SelectMaybeListed } from "./maybe-listed.ts";
import { plainMatches } from "./plain-matches.ts";
import type { Reading } from "./verdict.ts";
import { write, writeCanonical, writeLongText } from "./write.ts";

/** How many bytes `fill` takes. */
export const FILL_BYTES: number = 1 << 16;
/** Room beside them, for the canonical forms of URLs that are not canonical as they stand. */
const SPILL_BYTES = 1 << 15;
/** With less room than this a batch is full. A canonical form that is longer may not fit even before. */
const LEAST_ROOM = 1 << 12;
/** How many readings a batch holds; those that do not fit into its bytes have no expressions. */
const READINGS = 1 << 11;
/** The most readings of one URL. */
const MAX_READINGS_OF_URL = 2;

/** Canonical URLs that wait to be hashed and looked up together: the readings of what was given. */
export interface ReadingBatch {
  readonly engine: HashEngine;
  /** How many readings wait. */
  count(): number;
  /** Whether the readings of one more URL may find no room. */
  isFull(): boolean;
  /** Puts bytes into the batch, and forgets those that were put in before. */
  fill(bytes: Uint8Array): void;
  /** Puts text into the batch in the same way. Returns `false` when it does not fit or is not ASCII. */
  fillText(text: string): boolean;
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
  select: SelectMaybeListed,
  options: ExpressionOptions,
  engine: HashEngine | "auto",
): ReadingBatch {
  const capacity = { bytes: FILL_BYTES + SPILL_BYTES, slices: SLICES };
  const hashing = createHashBatch({ ...capacity, engine });
  const { bytes, prefixes } = hashing;
  const expressions = createExpressionBatch(hashing, options);
  const fillBytes = bytes.subarray(0, FILL_BYTES);
  /** The indices of the expressions to look up. */
  const selected = new Uint32Array(expressions.slices.length);
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  /** For each reading, the index after its last expression, and whose reading it is. */
  const expressionEnds = new Uint32Array(READINGS);
  const readings: Reading[] = [];
  /** The matches of readings that are looked up already. */
  let known: ReadingMatches[] = [];
  let count = 0;
  /** The bytes up to `filled` were put in by `fill`; those up to `used` are in use. */
  let filled = 0;
  let used = 0;

  /** Adds the reading at `spans`. */
  function addAtSpans(reading: Reading): void {
    expressions.add(spans);
    close(reading);
  }

  /** Counts a reading whose expressions are all added. */
  function close(reading: Reading): void {
    expressionEnds[count] = expressions.count();
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
    isFull: () => !expressions.hasRoomFor(MAX_READINGS_OF_URL) || bytes.length - used < LEAST_ROOM,

    fill(source) {
      bytes.set(source);
      filled = source.length;
      used = filled;
    },

    fillText(text) {
      const isWritten = writeLongText(text, fillBytes);
      filled = isWritten ? text.length : 0;
      used = filled;
      return isWritten;
    },

    copyFilled: (start, end) => bytes.slice(start, end),

    addFilledIfCanonical(start, end, reading) {
      if (!verifyCanonical(bytes, start, end, spans)) return false;
      addAtSpans(reading);
      return true;
    },

    addIfCanonical(url, reading) {
      const end = write(url, bytes, used);
      if (end < 0 || !verifyCanonical(bytes, used, end, spans)) return false;
      used = end;
      addAtSpans(reading);
      return true;
    },

    addUrl(url, reading) {
      if (!writeCanonical(url, bytes, used, spans)) return addPlain(url, reading);
      used = spans.end;
      addAtSpans(reading);
    },

    addPlain,

    lookUp() {
      hashing.run(expressions.sliceCount());
      const maybe = select(prefixes, expressions.slices, expressions.count(), selected);
      const found = findListed(
        hashing,
        expressions.slices,
        selected,
        maybe,
        expressionEnds,
        readings,
        lists,
      );
      if (known.length === 0) return found;
      return [...known, ...found].sort((a, b) => a.index - b.index);
    },

    clear() {
      if (known.length > 0) known = [];
      count = 0;
      expressions.clear();
      used = filled;
    },
  };
}
