import type { CanonicalUrl } from "@x/canon";
import { typeError } from "@x/canon/own-options";
import { parseDecidedUrl } from "@x/canon/readings";
import { type ExpressionOptions, MAX_EXPRESSIONS, sliceExpressions } from "./slices.ts";

/** A host suffix followed by a path prefix, without a scheme: `"b.c/1/"`. */
export type Expression = `${string}/${string}`;

/**
 * The suffix/prefix expressions of a URL, which are every host suffix with every path prefix. There are 1 to 30
 * expressions, all different, in the order of the specification's examples (the exact host first and, for each host,
 * the exact path first).
 *
 * `url` is text or bytes, which are canonicalized first, or a `CanonicalUrl`, which is not parsed again.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or bytes that are not a URL with a host, or whose host
 * cannot be decided (`host-undecided`).
 * @throws TypeError when `url` is of another type, or `registrableDomain` returns something that
 * {@link ExpressionOptions} does not allow.
 * @example
 * ```ts
 * import { expressions } from "@x/expressions";
 *
 * expressions("http://a.b.c/1/2.html?param=1").slice(0, 3); // → ["a.b.c/1/2.html?param=1", "a.b.c/1/2.html", "a.b.c/"]
 * expressions("http://1.2.3.4/1/"); // → ["1.2.3.4/1/", "1.2.3.4/"]
 *
 * // With the Public Suffix List, "co.uk" is not one of the host suffixes.
 * const registrableDomain = (host: string) => (host.endsWith("x.co.uk") ? "x.co.uk" : null);
 * expressions("http://a.x.co.uk/", { registrableDomain }); // → ["a.x.co.uk/", "x.co.uk/"]
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function expressions(
  url: string | Uint8Array | CanonicalUrl,
  options: ExpressionOptions = {},
): Expression[] {
  const parts = toCanonicalUrl(url);
  const { host, hostType, path } = parts;
  const text = wholeText(parts);
  const bytes = new TextEncoder().encode(text);
  const spans = {
    hostType,
    host: 0,
    path: host.length,
    query: host.length + path.length,
    end: text.length,
  };
  const starts = new Uint32Array(MAX_EXPRESSIONS);
  const ends = new Uint32Array(MAX_EXPRESSIONS);
  const count = sliceExpressions(bytes, spans, options, starts, ends, 0);
  const all: Expression[] = [];
  for (let i = 0; i < count; i++) all.push(text.slice(starts[i], ends[i]) as Expression);
  return all;
}

/**
 * The expression with the whole host, path and query of the URL. It is the first of `expressions(url)`, and the one to
 * put on a list.
 *
 * As an entry in a list, the exact expression also matches URLs below it: `"b.c/1/"` matches the paths in the folder,
 * and `"b.c/"` matches the host and the hosts below it. `coverage` returns which URLs an entry covers. The other
 * expressions leave out the query, the file name, folders or labels. An entry for one of them covers more than the URL.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or bytes that are not a URL with a host, or whose host
 * cannot be decided (`host-undecided`).
 * @throws TypeError when `url` is not text, bytes or a `CanonicalUrl`.
 * @example
 * ```ts
 * import { exactExpression } from "@x/expressions";
 *
 * exactExpression("http://A.b.c:80/1/./2?q#top"); // → "a.b.c/1/2?q"
 * exactExpression("b.c"); // → "b.c/"
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function exactExpression(url: string | Uint8Array | CanonicalUrl): Expression {
  return wholeText(toCanonicalUrl(url));
}

/** `host + path + ?query`: all expressions of a URL are slices of this text. An empty query adds nothing. */
function wholeText({ host, path, query }: CanonicalUrl): Expression {
  return query ? `${host}${path}?${query}` : `${host}${path}`;
}

/** Parses text or bytes, and returns a `CanonicalUrl` unchanged. */
export function toCanonicalUrl(url: string | Uint8Array | CanonicalUrl): CanonicalUrl {
  // `instanceof` is not used, because it is false for a `Uint8Array` of another realm.
  if (typeof url === "string" || ArrayBuffer.isView(url)) return parseDecidedUrl(url);
  if (!isCanonicalUrl(url)) throw typeError("url", "a string, a Uint8Array or a CanonicalUrl", url);
  return url;
}

const HOST_TYPES: readonly unknown[] = ["domain", "ipv4", "ipv6"];

/**
 * Whether a value has the parts that `parseUrl` returns, which the platform's `URL` lacks. Only the types of the parts
 * are checked.
 */
function isCanonicalUrl(value: unknown): value is CanonicalUrl {
  if (typeof value !== "object" || value === null) return false;
  const { host, hostType, path, query }: { [part in keyof CanonicalUrl]?: unknown } = value;
  return (
    typeof host === "string" &&
    HOST_TYPES.includes(hostType) &&
    typeof path === "string" &&
    (query === null || typeof query === "string")
  );
}
