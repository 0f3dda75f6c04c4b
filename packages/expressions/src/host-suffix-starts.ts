// This module uses only numbers and typed arrays, so that it also compiles to WebAssembly.

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
export function hostSuffixStarts(
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
