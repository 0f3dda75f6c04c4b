import { CanonError, MAX_URL_LENGTH } from "../error.ts";

/**
 * An absolute URI in the components of RFC 2396 §4, as `parseUri` returns it. A component is null when its
 * delimiter does not occur in the text, and empty when nothing follows the delimiter.
 */
export interface AbsoluteUri {
  /** In lower case, without the colon. */
  readonly scheme: string;
  /** Without the `//` before it. */
  readonly authority: string | null;
  /** With its first slash, if it has one. In an opaque URI, everything after the scheme. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string | null;
  /** Without the `#`. */
  readonly fragment: string | null;
}

/** A URI reference. Its scheme is as written, and null when the reference is relative. */
export interface Reference extends Omit<AbsoluteUri, "scheme"> {
  readonly scheme: string | null;
}

/**
 * Controls, space and the delimiters of URIs in text (RFC 2396 §2.4.3). The other characters that the
 * RFC excludes are common in today's URIs, and cannot be mistaken for the text around a URI.
 */
const EXCLUDED = /[\0-\x20"<>\x7f]|\p{Surrogate}/u;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/;

/** RFC 2396 §4.3: the leftmost separators win. */
export function parseReference(text: string): Reference {
  refuseTooLong(text);
  refuseExcluded(text);
  const [beforeFragment, fragment] = cut(text, "#");
  const [beforeQuery, query] = cut(beforeFragment, "?");
  const scheme = SCHEME.exec(beforeQuery)?.[0] ?? null;
  if (scheme === null) refuseColonInFirstSegment(text, beforeQuery);
  const rest = scheme === null ? beforeQuery : beforeQuery.slice(scheme.length + 1);
  if (!rest.startsWith("//")) return { scheme, authority: null, path: rest, query, fragment };
  const slash = rest.indexOf("/", 2);
  const end = slash < 0 ? rest.length : slash;
  return { scheme, authority: rest.slice(2, end), path: rest.slice(end), query, fragment };
}

/**
 * The text of an absolute URI.
 *
 * @example
 * ```ts
 * import { formatUri, parseUri } from "@x/canon/hierarchical";
 *
 * formatUri({ ...parseUri("HTTP://a/b?c#d"), query: null }); // → "http://a/b#d"
 * ```
 * @see RFC 2396 §5.2 step 7
 */
export function formatUri(uri: AbsoluteUri): string {
  const { scheme, authority, path, query, fragment } = uri;
  // A path that begins with "//" would be read as an authority.
  const slashes = authority !== null || path.startsWith("//") ? `//${authority ?? ""}` : "";
  return `${scheme}:${slashes}${path}${withMark("?", query)}${withMark("#", fragment)}`;
}

/** A query or fragment with its delimiter; the empty string when it is null. */
export function withMark(mark: "?" | "#", component: string | null): string {
  return component === null ? "" : mark + component;
}

/**
 * Whether `canonicalizeHierarchical` accepts a URI: whether it has an authority or an absolute path. An
 * empty path is accepted too, because Appendix A turns `file://` into `file:`.
 *
 * @example
 * ```ts
 * import { isHierarchical, parseUri } from "@x/canon/hierarchical";
 *
 * isHierarchical(parseUri("file:/a")); // → true
 * isHierarchical(parseUri("mailto:a@b")); // → false
 * ```
 * @see RFC 2396 §3
 */
export function isHierarchical(uri: AbsoluteUri): boolean {
  return uri.authority !== null || uri.path === "" || uri.path.startsWith("/");
}

/** @throws {@link CanonError} `too-long`. */
export function refuseTooLong(text: string): void {
  if (text.length > MAX_URL_LENGTH) throw new CanonError(text, "too-long", null);
}

function refuseExcluded(text: string): void {
  const found = EXCLUDED.exec(text);
  if (found === null) return;
  const code = found[0] > "\x7f" ? "lone-surrogate" : "character-excluded";
  throw new CanonError(text, code, found.index);
}

/** RFC 2396 §5: a colon in the first segment would be mistaken for the end of a scheme. */
function refuseColonInFirstSegment(text: string, beforeQuery: string): void {
  const colon = /^[^/:]*:/.exec(beforeQuery);
  if (colon !== null) throw new CanonError(text, "scheme-invalid", 0);
}

function cut(text: string, mark: string): [before: string, after: string | null] {
  const index = text.indexOf(mark);
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
