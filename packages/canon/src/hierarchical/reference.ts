import type { CanonErrorCode, UrlProblem } from "../error.ts";
import { MAX_URL_LENGTH } from "../longest-url.ts";

/**
 * An absolute URI, split into the components of RFC 2396 §4, as `parseUri` returns it. A component is null when its
 * delimiter does not occur in the text, and empty when nothing follows the delimiter.
 */
export interface AbsoluteUri {
  /** The scheme in lower case, without the colon. */
  readonly scheme: string;
  /** The authority, without the `//` before it. */
  readonly authority: string | null;
  /** The path, with its first slash if there is one. In an opaque URI, everything between the scheme and the query. */
  readonly path: string;
  /** The query, without the question mark. */
  readonly query: string | null;
  /** The fragment, without the `#`. */
  readonly fragment: string | null;
}

/** Why a URI cannot be parsed. */
export interface UriProblem extends UrlProblem {
  /** The text with the problem, which is the URI, its base, or the URI made from both. */
  readonly input: string;
}

/** A URI reference. The scheme is as written, and null when the reference is relative. */
export interface Reference extends Omit<AbsoluteUri, "scheme"> {
  readonly scheme: string | null;
}

/**
 * Control characters, the space and the delimiters of URIs in text (RFC 2396 §2.4.3). The other characters that the
 * RFC excludes are common in today's URIs, and cannot be mistaken for the text around a URI.
 */
const EXCLUDED = /[\0-\x20"<>\x7f]|\p{Surrogate}/u;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/;

/** RFC 2396 §4.3: a reference is split at the leftmost separators. */
export function readReference(text: string): Reference | UriProblem {
  const problem = lengthProblem(text) ?? characterProblem(text);
  if (problem !== null) return problem;
  const [beforeFragment, fragment] = cut(text, "#");
  const [beforeQuery, query] = cut(beforeFragment, "?");
  const scheme = SCHEME.exec(beforeQuery)?.[0] ?? null;
  // RFC 2396 §5: a colon in the first segment would be mistaken for the end of a scheme.
  if (scheme === null && /^[^/:]*:/.test(beforeQuery)) return uriProblem(text, "scheme-invalid", 0);
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

/** A query or fragment with its delimiter, or the empty string when the component is null. */
export function withMark(mark: "?" | "#", component: string | null): string {
  return component === null ? "" : mark + component;
}

/**
 * Whether `canonicalizeHierarchical` accepts a URI: it must have an authority or an absolute path. An empty path is
 * accepted too, because Appendix A turns `file://` into `file:`.
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

export function uriProblem(input: string, code: CanonErrorCode, index: number | null): UriProblem {
  return { input, code, index };
}

/**
 * Whether reading a URI failed. Only an own property counts, because other code may have added a property `code` to
 * every object.
 */
export function isProblem(read: object): read is UriProblem {
  return Object.hasOwn(read, "code");
}

export function lengthProblem(text: string): UriProblem | null {
  return text.length > MAX_URL_LENGTH ? uriProblem(text, "too-long", null) : null;
}

function characterProblem(text: string): UriProblem | null {
  const found = EXCLUDED.exec(text);
  if (found === null) return null;
  const code = found[0] > "\x7f" ? "lone-surrogate" : "character-excluded";
  return uriProblem(text, code, found.index);
}

function cut(text: string, mark: string): [before: string, after: string | null] {
  const index = text.indexOf(mark);
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
