import type { CanonicalUrl } from "@x/canon";

/** `host + path + ?query`, which all expressions of a URL are slices of; a query that is empty adds nothing. */
export function wholeText({ host, path, query }: CanonicalUrl): `${string}/${string}` {
  return query ? `${host}${path}?${query}` : `${host}${path}`;
}
