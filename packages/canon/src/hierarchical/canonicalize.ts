import { CanonError } from "../error.ts";
import { booleanOption, ownOptions, typeError } from "../own-options.ts";
import { type AbsoluteUri, formatUri, isHierarchical, lengthProblem } from "./reference.ts";
import { parseUri } from "./resolve.ts";
import {
  decompose,
  deleteDefaultPort,
  lowerCaseAll,
  lowerCaseHost,
  recompose,
  removeEmptySegments,
  removeIndexFile,
  removeLeadingZeroes,
  shortenExtension,
} from "./steps.ts";

/** Options of {@link canonicalizeHierarchical}. */
export interface HierarchicalOptions {
  /**
   * `"N"` tends towards false negatives: it equates only URIs that hardly ever differ in meaning. `"P"` tends
   * towards false positives: it also ignores case everywhere, empty path segments, and whether an extension
   * is short or long.
   */
  readonly variant: "N" | "P";
  /** The absolute URI against which a relative `uri` is resolved. Only a string can be relative. */
  readonly base?: string | undefined;
  /** Whether to keep the query. The default is `false`. */
  readonly keepQuery?: boolean | undefined;
  /** Whether to keep the fragment. The default is `false`. */
  readonly keepFragment?: boolean | undefined;
}

/**
 * The canonical form of a hierarchical URI according to Appendix A of the hashed URI draft.
 *
 * `uri` is a string, or a record that `parseUri` returned, which is not parsed again.
 *
 * The numbers of IPv4 addresses are decimal (`011` is 11), escapes are left alone, no `/` is added to an empty path,
 * and dot segments of an absolute URI stay. The result is not the canonical form of Safe Browsing, which `canonicalize`
 * returns. A query or fragment that is kept is unchanged in variant N and in lower case in P.
 *
 * Canonicalizing the result changes nothing, with one exception: in variant P, step (6) removes the empty last
 * segment that step (8) leaves in place of `index.html`.
 *
 * @throws `CanonError` `not-hierarchical`: the URI is opaque, such as `mailto:a@b`; and the codes of
 * `parseUri`.
 * @throws TypeError when `uri` is neither a string nor such a record, or when an option is of the wrong type.
 *
 * @example
 * ```ts
 * import { canonicalizeHierarchical } from "@x/canon/hierarchical";
 *
 * const uri = "http://Fred@WWW.Thus.net:0112/Test/index.html";
 * canonicalizeHierarchical(uri, { variant: "N" }); // → "http://Fred@www.thus.net:112/Test/"
 * canonicalizeHierarchical(uri, { variant: "P" }); // → "http://fred@www.thus.net:112/test/"
 * ```
 * @see draft-feather-hashed-uri-03, Appendix A
 */
export function canonicalizeHierarchical(
  uri: string | AbsoluteUri,
  options: HierarchicalOptions,
): string {
  const own = ownOptions(options);
  const { variant } = own;
  if (variant !== "N" && variant !== "P") {
    throw typeError("variant", '"N" or "P"', variant);
  }
  const parts = decompose(makeAbsolute(uri, own));
  deleteDefaultPort(parts);
  if (variant === "N") lowerCaseHost(parts);
  else lowerCaseAll(parts);
  removeLeadingZeroes(parts);
  if (variant === "P") {
    removeEmptySegments(parts);
    shortenExtension(parts);
  }
  removeIndexFile(parts);
  return recompose(parts);
}

/**
 * Appendix A step (1): §4.3 steps (1) and (2). The reference is resolved before its query is removed, so that it gives
 * the same result as the absolute URI for which it stands. Without its query, `?y` would refer to something else.
 */
function makeAbsolute(uri: string | AbsoluteUri, options: HierarchicalOptions): AbsoluteUri {
  const keepQuery = booleanOption("keepQuery", options.keepQuery);
  const keepFragment = booleanOption("keepFragment", options.keepFragment);
  const absolute = typeof uri === "string" ? parseUri(uri, options.base) : checkedUri(uri);
  if (!isHierarchical(absolute)) {
    throw new CanonError(typeof uri === "string" ? uri : formatUri(uri), "not-hierarchical", 0);
  }
  return {
    ...absolute,
    query: keepQuery ? absolute.query : null,
    fragment: keepFragment ? absolute.fragment : null,
  };
}

/** Returns the record if it has the shape that `parseUri` returns and is not too long. */
function checkedUri(uri: AbsoluteUri): AbsoluteUri {
  if (typeof uri !== "object" || uri === null) {
    throw typeError("uri", "a string or a record that parseUri returned", uri);
  }
  for (const part of ["scheme", "path"] as const) {
    if (typeof uri[part] !== "string") throw typeError(`uri.${part}`, "a string", uri[part]);
  }
  for (const part of ["authority", "query", "fragment"] as const) {
    const isTextOrNull = uri[part] === null || typeof uri[part] === "string";
    if (!isTextOrNull) throw typeError(`uri.${part}`, "a string or null", uri[part]);
  }
  const problem = lengthProblem(formatUri(uri));
  if (problem !== null) throw new CanonError(problem.input, problem.code, problem.index);
  return uri;
}
