import { CanonError } from "./error.ts";
import { decompose } from "./hierarchical/parts.ts";
import {
  type AbsoluteUri,
  formatUri,
  isHierarchical,
  refuseTooLong,
} from "./hierarchical/reference.ts";
import { parseUri } from "./hierarchical/resolve.ts";
import {
  deleteDefaultPort,
  lowerCaseAll,
  lowerCaseHost,
  recompose,
  removeEmptySegments,
  removeIndexFile,
  removeLeadingZeroes,
  shortenExtension,
} from "./hierarchical/steps.ts";
import { typeError } from "./type-error.ts";

/** How {@link canonicalizeHierarchical} reads a URI. */
export interface HierarchicalOptions {
  /**
   * `"N"` tends to false negatives: it equates only what is hardly ever different. `"P"` tends to false
   * positives: it also ignores case everywhere, empty path segments and how long an extension is.
   */
  readonly variant: "N" | "P";
  /** The absolute URI that a relative `uri` is relative to; only a text can be relative. */
  readonly base?: string | undefined;
  /** Whether a query stays; `false` unless given. */
  readonly keepQuery?: boolean | undefined;
  /** Whether a fragment stays; `false` unless given. */
  readonly keepFragment?: boolean | undefined;
}

/**
 * The canonical form of a hierarchical URI by Appendix A of the hashed URI draft.
 *
 * The URI is a text, or what `parseUri` made of one, which is not parsed again.
 *
 * Octets of IPv4 addresses are decimal (`011` is 11), escapes are left alone, no `/` is added to an empty
 * path, and dot segments of an absolute URI stay: this is not the canonical form of Safe Browsing, which
 * `canonicalize` gives. A retained query or fragment is unchanged in variant N and in lower case in P.
 *
 * The form of a form is the same form, except that step (6) of variant P removes the empty last segment
 * that step (8) has left of `index.html`.
 *
 * @throws {@link CanonError} `not-hierarchical`: the URI is opaque, such as `mailto:a@b`; and what `parseUri`
 * throws.
 * @throws TypeError when `uri` is neither a string nor such a record, `base` is not a string, or `variant` is
 * neither `"N"` nor `"P"`.
 *
 * @example
 * ```ts
 * import { canonicalizeHierarchical } from "@x/canon";
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
  const { variant } = options;
  if (variant !== "N" && variant !== "P") {
    throw typeError("variant", '"N" or "P"', variant);
  }
  const parts = decompose(makeAbsolute(uri, options));
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
 * Appendix A step (1): §4.3 steps (1) and (2). The reference is resolved first, so that it ends as the
 * absolute URI it stands for would; `?y` with its query removed would be no reference to the same thing.
 */
function makeAbsolute(uri: string | AbsoluteUri, options: HierarchicalOptions): AbsoluteUri {
  const absolute = typeof uri === "string" ? parseUri(uri, options.base) : checkedUri(uri);
  if (!isHierarchical(absolute)) {
    throw new CanonError(typeof uri === "string" ? uri : formatUri(uri), "not-hierarchical", 0);
  }
  return {
    ...absolute,
    query: options.keepQuery ? absolute.query : null,
    fragment: options.keepFragment ? absolute.fragment : null,
  };
}

/** A record, if it has the shape and no more than the length of those that `parseUri` gives. */
function checkedUri(uri: AbsoluteUri): AbsoluteUri {
  if (typeof uri !== "object" || uri === null) {
    throw typeError("uri", "a string or what parseUri gives", uri);
  }
  for (const part of ["scheme", "path"] as const) {
    if (typeof uri[part] !== "string") throw typeError(`uri.${part}`, "a string", uri[part]);
  }
  for (const part of ["authority", "query", "fragment"] as const) {
    const isTextOrNull = uri[part] === null || typeof uri[part] === "string";
    if (!isTextOrNull) throw typeError(`uri.${part}`, "a string or null", uri[part]);
  }
  refuseTooLong(formatUri(uri));
  return uri;
}
