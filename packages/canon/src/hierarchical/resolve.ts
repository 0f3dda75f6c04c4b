import { asciiLowerCase } from "../ascii.ts";
import { CanonError } from "../error.ts";
import { typeError } from "../own-options.ts";
import {
  type AbsoluteUri,
  formatUri,
  isHierarchical,
  isProblem,
  lengthProblem,
  type Reference,
  readReference,
  type UriProblem,
  uriProblem,
} from "./reference.ts";

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
