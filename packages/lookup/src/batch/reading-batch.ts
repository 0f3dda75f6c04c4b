import type { CanonicalUrl } from "@x/canon";
import type { CanonicalSpans } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import { type Match, NO_MATCHES, type Reading } from "../verdict.ts";
import { createExpressionBatch } from "./expression-batch.ts";
import { findListed, type ReadingMatches } from "./find-listed.ts";
import type { SelectMaybeListed } from "./maybe-listed.ts";
import { plainMatches } from "./plain-matches.ts";
import { write, writeCanonical, writeText } from "./write.ts";

/** How many bytes `fill` takes. */
export const FILL_BYTES: number = 1 << 16;
/** Room beside them, for the canonical forms of URLs that are not canonical as they stand. */
const SPILL_BYTES = 1 << 15;
/** With less room than this, a batch counts as full. A longer canonical form may not fit even before that. */
const LEAST_ROOM = 1 << 12;
/** How many readings a batch holds; those that do not fit into its bytes have no expressions. */
const READINGS = 1 << 11;

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
  /**
   * The matches of text or bytes, if that is a URL that is canonical as it stands; else `null`. No reading may wait. It does
   * what `addIfCanonical` and `finish` do, for one URL.
   */
  matchesIfCanonical(url: string | Uint8Array, reading: Reading): readonly Match[] | null;
  /** Adds a canonical URL. */
  addUrl(url: CanonicalUrl, reading: Reading): void;
  /** Adds a canonical URL as {@link addUrl} does, and looks it up at once. */
  addPlain(url: CanonicalUrl, reading: Reading): void;
  /** Returns the readings that are listed, in their order. */
  finish(): readonly ReadingMatches[];
  /** Forgets all readings. */
  clear(): void;
}

export function createReadingBatch(
  lists: readonly PrefixList[],
  select: SelectMaybeListed,
  options: ExpressionOptions,
  engine: HashEngine | "auto",
): ReadingBatch {
  const expressions = createExpressionBatch(FILL_BYTES + SPILL_BYTES, options, engine);
  const { bytes, prefixes } = expressions;
  const fillBytes = bytes.subarray(0, FILL_BYTES);
  /** The indices of the expressions to look up. */
  const selected = new Uint32Array(expressions.starts.length);
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  /** For each reading, the index after its last expression, and whose reading it is. */
  const expressionEnds = new Uint32Array(READINGS);
  const readings: Reading[] = [];
  /** The matches of the first readings, which are looked up already. */
  let found: ReadingMatches[] = [];
  let lookedUp = 0;
  let count = 0;
  /** The bytes up to `filled` were put in by `fill`; those up to `used` are in use. */
  let filled = 0;
  let used = 0;

  /** Counts a reading whose expressions are all added. */
  function close(reading: Reading): void {
    expressionEnds[count] = expressions.count();
    readings[count++] = reading;
    if (expressions.isFull()) lookUp();
  }

  /** Hashes the expressions that wait, and looks them up. */
  function lookUp(): void {
    const waiting = expressions.count();
    expressions.run(waiting);
    const maybe = select(prefixes, waiting, selected);
    if (maybe > 0) {
      findListed(expressions, selected, maybe, expressionEnds, lookedUp, readings, lists, found);
    }
    expressions.rememberExcept(selected, maybe);
    lookedUp = count;
  }

  function addIfCanonical(url: string | Uint8Array, reading: Reading): boolean {
    const end = write(url, bytes, used);
    if (end < 0 || !expressions.addIfCanonical(used, end)) return false;
    used = end;
    close(reading);
    return true;
  }

  function clear(): void {
    if (found.length > 0) found = [];
    count = 0;
    lookedUp = 0;
    expressions.clear();
    used = filled;
  }

  function addPlain(url: CanonicalUrl, reading: Reading): void {
    lookUp();
    const matches = plainMatches(url, reading, lists, options);
    if (matches.length > 0) found.push({ index: count, matches });
    close(reading);
  }

  return {
    engine: expressions.engine,
    count: () => count,
    isFull: () => bytes.length - used < LEAST_ROOM,

    fill(source) {
      bytes.set(source);
      filled = source.length;
      used = filled;
    },

    fillText(text) {
      const end = writeText(text, fillBytes, 0);
      filled = Math.max(0, end);
      used = filled;
      return end >= 0;
    },

    copyFilled: (start, end) => bytes.slice(start, end),

    addFilledIfCanonical(start, end, reading) {
      if (!expressions.addIfCanonical(start, end)) return false;
      close(reading);
      return true;
    },

    addIfCanonical,

    matchesIfCanonical(url, reading) {
      filled = 0;
      used = 0;
      if (!addIfCanonical(url, reading)) return null;
      lookUp();
      const matches = found[0]?.matches ?? NO_MATCHES;
      clear();
      return matches;
    },

    addUrl(url, reading) {
      if (!writeCanonical(url, bytes, used, spans)) return addPlain(url, reading);
      used = spans.end;
      expressions.add(spans);
      close(reading);
    },

    addPlain,

    finish() {
      lookUp();
      return found;
    },

    clear,
  };
}
