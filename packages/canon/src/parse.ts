import { type CanonicalUrl, canonicalizeOctets, type Trace } from "./canonicalize.ts";
import { CanonError, type CanonFailure, isFailure } from "./error.ts";
import { toOctetString } from "./octets.ts";

/** Canonicalizes text or octets; the outermost function decides whether a failure is thrown. */
export function run(url: string | Uint8Array, trace?: Trace): CanonicalUrl | CanonFailure {
  const octets = toOctetString(url);
  return typeof octets === "string" ? canonicalizeOctets(octets, trace) : octets;
}

/** Throws what `run` found. The place of the trouble is known where nothing before it was changed. */
export function orThrow(
  url: string | Uint8Array,
  result: CanonicalUrl | CanonFailure,
): CanonicalUrl {
  if (!isFailure(result)) return result;
  const { code, before } = result;
  if (before === null) throw new CanonError(url, code, null);
  const start = typeof url === "string" ? url : toOctetString(url.subarray(0, before.length));
  const isUnchanged = typeof start === "string" && start.startsWith(before);
  throw new CanonError(url, code, isUnchanged ? before.length : null);
}

/**
 * The canonical form of a URL, given as text or as octets: the text's `Canonicalize()`. It is
 * {@link parseUrl}'s `href`.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
 * @example
 * ```ts
 * import { canonicalize } from "@x/canon";
 *
 * canonicalize("http://3279880203/%2525"); // → "http://195.127.0.11/%25"
 * canonicalize("http:///path"); // throws host-missing
 * ```
 * @see Web Risk, "Hashing URLs", section "Canonicalization" (the same as Safe Browsing v4, "URLs and
 * hashing").
 */
export function canonicalize(url: string | Uint8Array): string {
  return parseUrl(url).href;
}

/**
 * The parts of the canonical form of a URL, given as text or as octets.
 *
 * Text is taken as UTF-8; octets are taken as they are. A URL without a scheme is an `http` one, and any
 * scheme that is followed by `//` is accepted. User, password, port and fragment are not part of the
 * result. A host is never refused for its characters: what is not an address and not a name that IDNA
 * accepts keeps its octets, escaped.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
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
  return orThrow(url, run(url));
}

/**
 * {@link parseUrl}, with `null` for what is not a URL with a host.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
 * @example
 * ```ts
 * import { tryParseUrl } from "@x/canon";
 *
 * tryParseUrl("example.com")?.href; // → "http://example.com/"
 * tryParseUrl("mailto:someone@example.com"); // → null
 * ```
 */
export function tryParseUrl(url: string | Uint8Array): CanonicalUrl | null {
  const result = run(url);
  return isFailure(result) ? null : result;
}
