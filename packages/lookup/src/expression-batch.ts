import type { CanonicalSpans } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import type { HashBatch } from "@x/sha256-prefix/batch";

/** Enough to keep every lane of the hash engine busy, and few enough for the processor's cache. */
export const SLICES: number = 1 << 10;
/** How many expressions a batch holds; those that repeat share a slice. */
const EXPRESSIONS = 4 * SLICES;
/** By so many keys, hosts are remembered. */
const KEYS = 1 << 8;

/**
 * The expressions of the canonical URLs in a batch, as slices of its bytes.
 *
 * Many URLs follow others of the same site: where both begin alike, so do their expressions. Such an expression shares
 * the slice, and so the hash, of the earlier one.
 */
export interface ExpressionBatch {
  /** For each expression, the index of its slice in the hash batch. */
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
  { bytes, starts, ends }: HashBatch,
  options: ExpressionOptions,
): ExpressionBatch {
  const slices = new Uint32Array(EXPRESSIONS);
  /** For each slice, where the host of its URL starts. */
  const hosts = new Uint32Array(SLICES);
  /** For each URL: where its host starts, where it ends, and the index after its last expression. */
  const urlHosts = new Uint32Array(EXPRESSIONS);
  const urlEnds = new Uint32Array(EXPRESSIONS);
  const lasts = new Uint32Array(EXPRESSIONS);
  /** For each key of a host, the number of the latest URL. All URLs that were ever added are numbered, from 1. */
  const latest = new Float64Array(KEYS);
  /** How many URLs were added before those that are here. */
  let forgotten = 0;
  let urls = 0;
  let count = 0;
  let sliceCount = 0;

  /** The length of the beginning that the URL at `spans` shares with an earlier one; 0 when the hosts differ. */
  function sharedLength({ host, path, end }: CanonicalSpans, earlier: number): number {
    const other = urlHosts[earlier]!;
    const most = Math.min(end - host, urlEnds[earlier]! - other);
    let length = 0;
    while (length < most && bytes[host + length] === bytes[other + length]) length++;
    return length > path - host ? length : 0;
  }

  /** Adds an expression with the slice that was written at index `from`, and moves that to the others. */
  function addSlice(from: number, host: number): void {
    starts[sliceCount] = starts[from]!;
    ends[sliceCount] = ends[from]!;
    hosts[sliceCount] = host;
    slices[count++] = sliceCount++;
  }

  /**
   * Adds expressions whose slices were written from index `from` on. Their URL begins with the same `length` bytes as
   * an earlier one: an expression within them shares the slice, if the earlier URL has the same expression.
   */
  function shareSlices(from: number, added: number, host: number, earlier: number, length: number) {
    const last = lasts[earlier]!;
    /** The first of the earlier URL's expressions that may be the same. */
    let other = earlier === 0 ? 0 : lasts[earlier - 1]!;
    for (let i = from; i < from + added; i++) {
      const start = starts[i]! - host;
      const end = ends[i]! - host;
      // The expressions of a URL ascend by their starts.
      while (other < last && startInUrl(other) < start) other++;
      let same = end <= length ? other : last;
      while (same < last && startInUrl(same) === start && endInUrl(same) !== end) same++;
      if (same < last && startInUrl(same) === start) slices[count++] = slices[same]!;
      else addSlice(i, host);
    }
  }

  /** Where an expression starts, counted from the host of its URL. Expressions that share a slice start alike. */
  function startInUrl(expression: number): number {
    const slice = slices[expression]!;
    return starts[slice]! - hosts[slice]!;
  }

  function endInUrl(expression: number): number {
    const slice = slices[expression]!;
    return ends[slice]! - hosts[slice]!;
  }

  return {
    slices,
    count: () => count,
    sliceCount: () => sliceCount,
    hasRoomFor: (more) =>
      sliceCount + more * MAX_EXPRESSIONS <= SLICES &&
      count + more * MAX_EXPRESSIONS <= EXPRESSIONS,

    add(spans) {
      const { host, path, end } = spans;
      const from = sliceCount;
      const added = sliceExpressions(bytes, spans, options, starts, ends, from);
      const key = keyOf(bytes, host, path);
      const earlier = latest[key]! - forgotten - 1;
      const length = earlier < 0 ? 0 : sharedLength(spans, earlier);
      if (length > 0) shareSlices(from, added, host, earlier, length);
      else for (let i = from; i < from + added; i++) addSlice(i, host);
      urlHosts[urls] = host;
      urlEnds[urls] = end;
      lasts[urls++] = count;
      latest[key] = forgotten + urls;
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
  return (key ^ (key >>> 8)) & (KEYS - 1);
}
