import type { CanonicalUrl } from "@x/canon";

/** Path prefixes that are formed by starting at the root; the root is one of them. */
const MAX_PREFIXES = 4;

/**
 * Where the path prefixes end in `path + ?query`: the exact path with its query, the exact path, then
 * the root and the longer folders. No two are the same. A query that is empty adds nothing.
 */
export function pathPrefixEnds({ path, query }: CanonicalUrl): number[] {
  const ends: number[] = [];
  if (query) ends.push(path.length + 1 + query.length);
  ends.push(path.length);
  let end = 1;
  for (let count = 0; count < MAX_PREFIXES && end > 0 && end < path.length; count++) {
    ends.push(end);
    end = path.indexOf("/", end) + 1;
  }
  return ends;
}
