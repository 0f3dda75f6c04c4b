import type { CanonicalSpans } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import type { HashBatch } from "@x/sha256-prefix/batch";

/** Enough to keep every lane of the hash engine busy, and few enough for the processor's cache. */
export const SLICES: number = 1 << 10;
/** How many expressions a batch holds; those that repeat share a slice. */
const EXPRESSIONS = 4 * SLICES;
/** How many hosts are remembered. */
const REMEMBERED = 1 << 8;

/**
 * The expressions of the canonical URLs in a batch.
 *
 * Many URLs follow others of the same site: where both begin alike, so do their expressions. Such an expression shares
 * the slice, and so the hash, of the earlier one.
 */
export interface ExpressionBatch {
  /** For each expression, the index in the batch's bytes where it starts. */
  readonly starts: Uint32Array;
  /** For each expression, the index in the batch's bytes after its last byte. */
  readonly ends: Uint32Array;
  /** For each expression, the index of the slice that is hashed for it. */
  readonly slices: Uint32Array;
  /** How many expressions there are. */
  count(): number;
  /** How many slices there are. */
  sliceCount(): number;
  /** Whether there is room for the expressions of this many URLs. */
  hasRoomFor(urls: number): boolean;
  /** Adds the expressions of the canonical URL at `spans`. */
  add(spans: CanonicalSpans): void;
  /** Forgets all expressions. */
  clear(): void;
}

export function createExpressionBatch(
  { bytes, starts: sliceStarts, ends: sliceEnds }: HashBatch,
  options: ExpressionOptions,
): ExpressionBatch {
  const starts = new Uint32Array(EXPRESSIONS);
  const ends = new Uint32Array(EXPRESSIONS);
  const slices = new Uint32Array(EXPRESSIONS);
  /** For each URL with expressions: where it starts and ends in the bytes, and the index after its last expression. */
  const urlStarts = new Uint32Array(EXPRESSIONS);
  const urlEnds = new Uint32Array(EXPRESSIONS);
  const lasts = new Uint32Array(EXPRESSIONS);
  /** For each key of a host, the number of the latest URL. All URLs that were ever added are numbered, from 1. */
  const latestOfHost = new Float64Array(REMEMBERED);
  /** How many URLs were added before those that are here. */
  let forgotten = 0;
  let urls = 0;
  let count = 0;
  let sliceCount = 0;

  /** The length of the beginning that the URL at `spans` shares with an earlier one; 0 when the hosts differ. */
  function sharedLength({ host, path, end }: CanonicalSpans, earlier: number): number {
    const other = urlStarts[earlier]!;
    const most = Math.min(end - host, urlEnds[earlier]! - other);
    let length = 0;
    while (length < most && bytes[host + length] === bytes[other + length]) length++;
    return length > path - host ? length : 0;
  }

  /** Gives an expression a slice of its own. */
  function addSlice(expression: number): void {
    slices[expression] = sliceCount;
    sliceStarts[sliceCount] = starts[expression]!;
    sliceEnds[sliceCount++] = ends[expression]!;
  }

  /**
   * Gives slices to the expressions from `from` to `to`, of a URL at `start` whose first `length` bytes are those of an
   * earlier URL. An expression within them shares the slice of the earlier URL's expression, if that has the same one.
   */
  function shareSlices(from: number, to: number, start: number, earlier: number, length: number) {
    const otherEnd = lasts[earlier]!;
    const distance = start - urlStarts[earlier]!;
    let other = earlier === 0 ? 0 : lasts[earlier - 1]!;
    for (let i = from; i < to; i++) {
      const startThere = starts[i]! - distance;
      const endThere = ends[i]! - distance;
      // The expressions of a URL ascend by their starts.
      while (other < otherEnd && starts[other]! < startThere) other++;
      let same = ends[i]! - start <= length ? other : otherEnd;
      while (same < otherEnd && starts[same] === startThere && ends[same] !== endThere) same++;
      if (same < otherEnd && starts[same] === startThere) slices[i] = slices[same]!;
      else addSlice(i);
    }
  }

  return {
    starts,
    ends,
    slices,
    count: () => count,
    sliceCount: () => sliceCount,
    hasRoomFor: (more) =>
      sliceCount + more * MAX_EXPRESSIONS <= SLICES &&
      count + more * MAX_EXPRESSIONS <= EXPRESSIONS,

    add(spans) {
      const from = count;
      const to = from + sliceExpressions(bytes, spans, options, starts, ends, from);
      const key = keyOf(bytes, spans.host, spans.path);
      const earlier = latestOfHost[key]! - forgotten - 1;
      const length = earlier < 0 ? 0 : sharedLength(spans, earlier);
      if (length === 0) for (let i = from; i < to; i++) addSlice(i);
      else shareSlices(from, to, spans.host, earlier, length);
      count = to;
      urlStarts[urls] = spans.host;
      urlEnds[urls] = spans.end;
      lasts[urls++] = count;
      latestOfHost[key] = forgotten + urls;
    },

    clear() {
      forgotten += urls;
      urls = 0;
      count = 0;
      sliceCount = 0;
    },
  };
}

/** A number for the bytes of a host. Hosts that differ may have the same. */
function keyOf(bytes: Uint8Array, start: number, end: number): number {
  let key = end - start;
  for (let i = start; i < end; i += 3) key = (Math.imul(key, 31) + bytes[i]!) | 0;
  return (key ^ (key >>> 8)) & (REMEMBERED - 1);
}
