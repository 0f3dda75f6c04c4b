const SLASH = 0x2f;

/** Path prefixes that end in a slash; the root is one of them. */
const MAX_FOLDERS = 4;

/** The folders, the exact path, and the exact path with its query. */
export const MAX_PATH_PREFIXES: number = MAX_FOLDERS + 2;

/**
 * Writes where the path prefixes end into `ends`, from index `at` on: the exact path with its query, the exact
 * path, then the root and the longer folders. Returns how many there are, 1 to 6, all different.
 *
 * The path is the bytes from `path` to `query`. The query, with its question mark, is the bytes from there to
 * `end`. An empty query adds nothing.
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
