import type { CanonicalSpans } from "@x/canon/verify";

// This module uses only numbers and typed arrays, so that it also compiles to WebAssembly.

/**
 * Writes the start and end index of every host suffix with every path prefix into `starts` and `ends`, from index
 * `at` on. Returns the number of pairs.
 *
 * @param shortest the index at which the shortest host suffix starts.
 */
export function writePairs(
  bytes: Uint8Array,
  spans: CanonicalSpans,
  shortest: number,
  starts: Uint32Array,
  ends: Uint32Array,
  at: number,
): number {
  const hosts = hostSuffixStarts(bytes, spans.host, shortest, starts, at);
  const paths = pathPrefixEnds(bytes, spans.path, spans.query, spans.end, ends, at);
  // The last pair is written first, so that nothing is overwritten before it is read.
  let next = at + hosts * paths;
  for (let host = hosts - 1; host >= 0; host--) {
    const start = starts[at + host]!;
    for (let prefix = paths - 1; prefix >= 0; prefix--) {
      starts[--next] = start;
      ends[next] = ends[at + prefix]!;
    }
  }
  return hosts * paths;
}

/** Cuts a canonical URL after the first slash of its path, so that its expressions are those of its host. */
export function keepHost(spans: CanonicalSpans): void {
  spans.query = spans.path + 1;
  spans.end = spans.query;
}

const DOT = 0x2e;

/** The maximum number of host suffixes besides the exact host. */
const MAX_SHORTER_HOSTS = 4;

/** The maximum number of host suffixes, including the exact host. */
export const MAX_HOST_SUFFIXES: number = 1 + MAX_SHORTER_HOSTS;

/**
 * Writes the start index of each host suffix into `starts`, from index `at` on: the exact host first, then
 * the others from the longest to the shortest. Returns the number of suffixes, 1 to
 * {@link MAX_HOST_SUFFIXES}.
 *
 * @param shortest the index at which the shortest suffix starts.
 */
function hostSuffixStarts(
  bytes: Uint8Array,
  host: number,
  shortest: number,
  starts: Uint32Array,
  at: number,
): number {
  starts[at] = host;
  let count = 0;
  for (let start = shortest; start > host && count < MAX_SHORTER_HOSTS; count++) {
    starts[at + 1 + count] = start;
    start = labelStart(bytes, host, start);
  }
  // The loop above found the shortest suffix first.
  for (let i = at + 1, j = at + count; i < j; i++, j--) {
    const start = starts[i]!;
    starts[i] = starts[j]!;
    starts[j] = start;
  }
  return 1 + count;
}

/**
 * The index at which the last two labels of a host start, or its only label. A top-level domain alone is not a suffix
 * of a longer host.
 */
export function lastTwoLabels(bytes: Uint8Array, host: number, end: number): number {
  const last = labelStart(bytes, host, end + 1);
  return last === host ? host : labelStart(bytes, host, last);
}

/** The index at which the label before the one at `next` starts. */
function labelStart(bytes: Uint8Array, host: number, next: number): number {
  let i = next - 2;
  while (i >= host && bytes[i] !== DOT) i--;
  return i + 1;
}

const SLASH = 0x2f;

/** The maximum number of path prefixes that end in a slash, including the root. */
const MAX_FOLDERS = 4;

/** The maximum number of path prefixes, which are the folders, the exact path, and the exact path with its query. */
export const MAX_PATH_PREFIXES: number = MAX_FOLDERS + 2;

/**
 * Writes the end index of each path prefix into `ends`, from index `at` on: the exact path with its query, the exact
 * path, then the folders from the root to the longest. Returns the number of prefixes, 1 to 6. No two prefixes are the
 * same.
 *
 * The path is in the bytes from `path` to `query`; the query, with its question mark, is in the bytes from
 * `query` to `end`. An empty query adds nothing.
 */
function pathPrefixEnds(
  bytes: Uint8Array,
  path: number,
  query: number,
  end: number,
  ends: Uint32Array,
  at: number,
): number {
  let next = at;
  if (end > query + 1) ends[next++] = end;
  ends[next++] = query;
  let folders = 0;
  for (let i = path; i < query - 1 && folders < MAX_FOLDERS; i++) {
    if (bytes[i] !== SLASH) continue;
    ends[next++] = i + 1;
    folders++;
  }
  return next - at;
}
