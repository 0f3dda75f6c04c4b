import { type CanonicalUrl, runSteps } from "./canonicalize.ts";
import { CanonError } from "./error.ts";

/**
 * The parts of the canonical form of a URL, given as text or as bytes.
 *
 * Text is encoded as UTF-8, and bytes are used as they are. A URL without a scheme is an `http` URL, and any scheme
 * that is followed by `//` is accepted. User, password, port and fragment are not part of the result. A host is never
 * refused because of its characters. A host that is not ASCII and that IDNA does not accept keeps its bytes in escaped
 * form.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { parseUrl } from "@x/canon";
 *
 * const url = parseUrl("HTTP://user@EXAMPLE.com:80/a/../b?q#top");
 * url.href; // → "http://example.com/b?q"
 * url.hostType; // → "domain"
 * url.query; // → "q"
 * ```
 * @see Web Risk, "Hashing URLs", section "Canonicalization" (the same as Safe Browsing v4, "URLs and
 * hashing").
 */
export function parseUrl(url: string | Uint8Array): CanonicalUrl {
  const { canonical, problem } = runSteps(url);
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return canonical;
}

/**
 * Like {@link parseUrl}, but returns `null` for input that is not a URL with a host.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { tryParseUrl } from "@x/canon";
 *
 * tryParseUrl("example.com")?.href; // → "http://example.com/"
 * tryParseUrl("mailto:someone@example.com"); // → null
 * ```
 */
export function tryParseUrl(url: string | Uint8Array): CanonicalUrl | null {
  return runSteps(url).canonical;
}
