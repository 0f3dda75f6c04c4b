import type { CanonicalSpans } from "@x/canon/verify";
import { hostSuffixStarts } from "./host-suffix-starts.ts";
import { pathPrefixEnds } from "./path-prefixes.ts";

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
