import { CanonError } from "../error.ts";
import { MAX_URL_LENGTH } from "../max-url-length.ts";

/** The four components and the fragment of a URI reference; null is a component whose separator is missing. */
export interface Reference {
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}

/** A reference that names its scheme, and so needs no base. */
export interface AbsoluteReference extends Reference {
  readonly scheme: string;
}

/**
 * Controls, space and the delimiters of URIs in text (RFC 2396 §2.4.3). What else is excluded there is
 * common in URIs of today and cannot be mistaken for the surroundings of a URI.
 */
const EXCLUDED = /[\0-\x20"<>\x7f]|\p{Surrogate}/u;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/;

/** RFC 2396 §4.3: the leftmost separators win. */
export function parseReference(text: string): Reference {
  if (text.length > MAX_URL_LENGTH) throw new CanonError(text, "too-long", null);
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

/** RFC 2396 §5.2 step 7. */
export function formatReference(reference: AbsoluteReference): string {
  const { scheme, authority, path, query, fragment } = reference;
  // A path that begins with "//" would be read as an authority.
  const slashes = authority !== null || path.startsWith("//") ? `//${authority ?? ""}` : "";
  return `${scheme}:${slashes}${path}${withMark("?", query)}${withMark("#", fragment)}`;
}

/** A query or fragment with its mark; nothing where there is none. */
export function withMark(mark: "?" | "#", component: string | null): string {
  return component === null ? "" : mark + component;
}

/**
 * RFC 2396 §3: a URI with a path of segments. With nothing behind the scheme it counts as one whose path
 * is empty, because Appendix A leaves that much of `file://`.
 */
export function isHierarchical(reference: Reference): boolean {
  return reference.authority !== null || reference.path === "" || reference.path.startsWith("/");
}

function refuseExcluded(text: string): void {
  const found = EXCLUDED.exec(text);
  if (found === null) return;
  const code = found[0] > "\x7f" ? "lone-surrogate" : "character-excluded";
  throw new CanonError(text, code, found.index);
}

/** RFC 2396 §5: a colon in the first segment is mistaken for the end of a scheme. */
function refuseColonInFirstSegment(text: string, beforeQuery: string): void {
  const colon = /^[^/:]*:/.exec(beforeQuery);
  if (colon !== null) throw new CanonError(text, "scheme-invalid", 0);
}

function cut(text: string, mark: string): [before: string, after: string | null] {
  const index = text.indexOf(mark);
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
