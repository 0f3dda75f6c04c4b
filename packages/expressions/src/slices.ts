import type { CanonicalSpans } from "@x/canon/verify";
import { writePairs } from "./host-path-pairs.ts";
import { MAX_HOST_SUFFIXES } from "./host-suffix-starts.ts";
import { MAX_PATH_PREFIXES } from "./path-prefixes.ts";
import { type ExpressionOptions, shortestSuffixStart } from "./shortest-suffix.ts";

export { keepHost } from "./host-path-pairs.ts";

/** The maximum number of expressions of one URL. */
export const MAX_EXPRESSIONS: number = MAX_HOST_SUFFIXES * MAX_PATH_PREFIXES;

/**
 * Writes the start and end index in `bytes` of each expression of a canonical URL into `starts` and `ends`,
 * from index `at` on, in the order of `expressions`. Returns the number of expressions, 1 to
 * {@link MAX_EXPRESSIONS}. The only string that is created is the host for `registrableDomain`.
 *
 * @throws RangeError when `spans.end` is greater than the length of `bytes` (which is 0 for a detached array),
 * or when `starts` or `ends` is too short for the expressions.
 * @throws TypeError when `registrableDomain` returns something that {@link ExpressionOptions} does not allow.
 * @example
 * ```ts
 * import { sliceExpressions } from "@x/expressions/slices";
 *
 * const bytes = new TextEncoder().encode("http://b.c/1");
 * const spans = { hostType: "domain", host: 7, path: 10, query: 12, end: 12 } as const;
 * const starts = new Uint32Array(30);
 * const ends = new Uint32Array(30);
 * sliceExpressions(bytes, spans, {}, starts, ends, 0); // → 2
 * [...starts.subarray(0, 2), ...ends.subarray(0, 2)]; // → [7, 7, 12, 11]
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function sliceExpressions(
  bytes: Uint8Array,
  spans: CanonicalSpans,
  options: ExpressionOptions,
  starts: Uint32Array,
  ends: Uint32Array,
  at: number,
): number {
  if (spans.end > bytes.length) throw outOfRange("spans.end", bytes.length, spans.end);
  const shortest = shortestSuffixStart(bytes, spans, options);
  // Writes beyond the end of a typed array are dropped, so the lengths can be checked afterwards.
  const count = writePairs(bytes, spans, shortest, starts, ends, at);
  const most = Math.min(starts.length, ends.length) - count;
  if (at > most) throw outOfRange("at", most, at);
  return count;
}

function outOfRange(argument: string, most: number, value: number): RangeError {
  return new RangeError(`${argument} must be at most ${most}, not ${value}`);
}
