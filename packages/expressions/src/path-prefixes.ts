const SLASH = 0x2f;

/** Path prefixes that are formed by starting at the root; the root is one of them. */
const MAX_FOLDERS = 4;

/** Those, the exact path, and the exact path with its query. */
export const MAX_PATH_PREFIXES: number = MAX_FOLDERS + 2;

/**
 * Writes where the path prefixes end into `ends`: the exact path with its query, the exact path, then the
 * root and the longer folders. Gives how many there are, 1 to 6; no two are the same.
 *
 * The path is the octets from `path` to `query`, where its question mark stands if it has a query; that
 * ends at `end`. A query that is empty adds nothing.
 */
export function pathPrefixEnds(
  octets: Uint8Array,
  path: number,
  query: number,
  end: number,
  ends: Uint32Array,
): number {
  let count = 0;
  if (end > query + 1) ends[count++] = end;
  ends[count++] = query;
  let folders = 0;
  for (let i = path; i < query - 1 && folders < MAX_FOLDERS; i++) {
    if (octets[i] !== SLASH) continue;
    ends[count++] = i + 1;
    folders++;
  }
  return count;
}
