// This module uses only numbers and typed arrays, so that it also compiles to WebAssembly.

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
export function pathPrefixEnds(
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
