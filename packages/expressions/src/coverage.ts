import type { CanonicalUrl } from "@x/canon";
import { exactExpression, expressions, toCanonicalUrl } from "./expressions.ts";
import type { ExpressionOptions } from "./slices.ts";

/** The URLs that an entry in a list covers, besides those with the same host, path and query. */
export interface Coverage {
  /** Whether the entry covers the same host and path with any query. */
  readonly anyQuery: boolean;
  /** Whether the entry covers every path in its folder. */
  readonly pathsBelow: boolean;
  /** Whether the entry covers every host below its host, with the same paths. */
  readonly hostsBelow: boolean;
}

/**
 * Returns which URLs `exactExpression(url)` covers as an entry in a list.
 *
 * An entry covers only URLs that have it among their expressions. So an entry for a folder covers the paths in it if
 * the folder is at most three levels deep, and an entry for a file or a query covers no other path. A host covers the
 * hosts below it if it has two to five labels (with `registrableDomain`: if it is the registrable domain with up to
 * three more labels). There are no hosts below an IP address or a host in brackets.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or bytes that are not a URL with a host, or whose host
 * cannot be decided (`host-undecided`).
 * @throws TypeError when `url` is of another type, or `registrableDomain` returns something that
 * {@link ExpressionOptions} does not allow.
 * @example
 * ```ts
 * import { coverage } from "@x/expressions";
 *
 * coverage("http://b.c/1/"); // → { anyQuery: true, pathsBelow: true, hostsBelow: true }
 * coverage("http://b.c/1/2/3/4/"); // → { anyQuery: true, pathsBelow: false, hostsBelow: true }
 * coverage("http://1.2.3.4/x?y"); // → { anyQuery: false, pathsBelow: false, hostsBelow: false }
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function coverage(
  url: string | Uint8Array | CanonicalUrl,
  options: ExpressionOptions = {},
): Coverage {
  const entry = toCanonicalUrl(url);
  const expression = exactExpression(entry);
  const covers = (other: CanonicalUrl) => expressions(other, options).includes(expression);
  const isName = entry.hostType === "domain" && !entry.host.startsWith("[");
  return {
    anyQuery: covers({ ...entry, query: `${entry.query ?? ""}x` }),
    pathsBelow: covers({ ...entry, path: `${entry.path}x`, query: null }),
    hostsBelow: isName && covers({ ...entry, host: `x.${entry.host}` }),
  };
}
