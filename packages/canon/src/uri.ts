import { asciiLowerCase } from "./ascii.ts";
import { MAX_URL_LENGTH } from "./byte-string.ts";
import { CanonError, type CanonErrorCode, type UrlProblem } from "./error.ts";
import { typeError } from "./own-options.ts";

/**
 * The components of a URI. A relative URI is made absolute first. Only the scheme is changed, to lower case.
 *
 * `base` is needed, and read, only when `uri` has no scheme. A `..` that would go above the root stays, as in the RFC's
 * own examples (`http://a/../g`). Dot segments are resolved only in relative paths. An absolute URI keeps its dot
 * segments. When the base has an authority and no path, the resolved path begins with a `/`, which the RFC's algorithm
 * omits (`g` against `http://a` is `http://a/g`, not `http://ag`). The empty text, or a fragment alone, stands for the
 * base itself, which may then be opaque, such as a URN.
 *
 * @throws `CanonError` `base-missing`: the URI is relative, and there is no base; `base-relative` or
 * `base-opaque`: nothing can be resolved against this base; `scheme-invalid`: a colon after something that
 * cannot be a scheme; `character-excluded`: a control character, space, `"`, `<` or `>`; `lone-surrogate`;
 * `too-long`: more than `MAX_URL_LENGTH` UTF-16 code units in `uri`, in `base`, or in the result.
 * @throws TypeError when an argument is not a string.
 *
 * @example
 * ```ts
 * import { parseUri } from "@x/canon/hierarchical";
 *
 * const uri = parseUri("../g?y", "HTTP://a/b/c/d;p?q");
 * [uri.scheme, uri.authority, uri.path]; // → ["http", "a", "/b/g"]
 * [uri.query, uri.fragment]; // → ["y", null]
 * ```
 * @see RFC 2396 §4 and §5.2
 */
export function parseUri(uri: string, base?: string): AbsoluteUri {
  const read = readAbsolute(uri, base);
  if (isProblem(read)) throw new CanonError(read.input, read.code, read.index);
  return read;
}

/**
 * Like {@link parseUri}, but returns the problem instead of throwing. `describeProblem` of `@x/canon` puts
 * the problem into words.
 *
 * @throws TypeError when an argument is not a string.
 * @example
 * ```ts
 * import { readUri } from "@x/canon/hierarchical";
 *
 * readUri("page.html").problem?.code; // → "base-missing"
 * readUri("page.html", "http://a/").uri?.path; // → "/page.html"
 * ```
 */
export function readUri(
  uri: string,
  base?: string,
):
  | { readonly uri: AbsoluteUri; readonly problem: null }
  | { readonly uri: null; readonly problem: UriProblem } {
  const read = readAbsolute(uri, base);
  return isProblem(read) ? { uri: null, problem: read } : { uri: read, problem: null };
}

function readAbsolute(uri: string, base: string | undefined): AbsoluteUri | UriProblem {
  if (typeof uri !== "string") throw typeError("uri", "a string", uri);
  const reference = readReference(uri);
  if (isProblem(reference)) return reference;
  const { scheme } = reference;
  if (scheme !== null) return { ...reference, scheme: asciiLowerCase(scheme) };
  if (base === undefined) return uriProblem(uri, "base-missing", 0);
  const absoluteBase = readBase(base);
  if (isProblem(absoluteBase)) return absoluteBase;
  const absolute = resolveAgainst(absoluteBase, reference);
  if (absolute === null) return uriProblem(base, "base-opaque", 0);
  return lengthProblem(formatUri(absolute)) ?? absolute;
}

function readBase(base: string): AbsoluteUri | UriProblem {
  if (typeof base !== "string") throw typeError("base", "a string", base);
  const reference = readReference(base);
  if (isProblem(reference)) return reference;
  const { scheme, ...components } = reference;
  if (scheme === null) return uriProblem(base, "base-relative", 0);
  return { ...components, scheme: asciiLowerCase(scheme) };
}

/** RFC 2396 §5.2, steps 2 and 4 to 6. `null` when the base is opaque and the reference needs more than step 2. */
function resolveAgainst(base: AbsoluteUri, reference: Reference): AbsoluteUri | null {
  const { authority, path, query, fragment } = reference;
  const { scheme } = base;
  if (path === "" && authority === null && query === null) return { ...base, fragment };
  if (!isHierarchical(base)) return null;
  if (authority !== null) return { scheme, authority, path, query, fragment };
  const absolutePath = path.startsWith("/") ? path : mergePaths(base.path, path);
  return { scheme, authority: base.authority, path: absolutePath, query, fragment };
}

/** RFC 2396 §5.2 step 6. */
function mergePaths(base: string, relative: string): string {
  const directory = base.slice(0, base.lastIndexOf("/") + 1);
  if (directory === "" && relative === "") return "";
  return removeDotSegments(`${directory || "/"}${relative}`);
}

/** RFC 2396 §5.2 steps 6c to 6g, with a stack: the RFC's string replacements are quadratic. */
function removeDotSegments(path: string): string {
  const segments = path.slice(1).split("/");
  const last = segments.length - 1;
  const kept: string[] = [];
  segments.forEach((segment, index) => {
    const climbs = segment === ".." && kept.length > 0 && kept.at(-1) !== "..";
    if (climbs) kept.pop();
    else if (segment !== ".") kept.push(segment);
    if (index === last && (climbs || segment === ".")) kept.push("");
  });
  return `/${kept.join("/")}`;
}

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
interface Reference extends Omit<AbsoluteUri, "scheme"> {
  readonly scheme: string | null;
}

/**
 * Control characters, the space and the delimiters of URIs in text (RFC 2396 §2.4.3). The other characters that the
 * RFC excludes are common in today's URIs, and cannot be mistaken for the text around a URI.
 */
const EXCLUDED = /[\0-\x20"<>\x7f]|\p{Surrogate}/u;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/;

/** RFC 2396 §4.3: a reference is split at the leftmost separators. */
function readReference(text: string): Reference | UriProblem {
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

function uriProblem(input: string, code: CanonErrorCode, index: number | null): UriProblem {
  return { input, code, index };
}

/**
 * Whether reading a URI failed. Only an own property counts, because other code may have added a property `code` to
 * every object.
 */
function isProblem(read: object): read is UriProblem {
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
