import { BACKSLASH, DOT, QUESTION_MARK, SLASH } from "./ascii.ts";
import { MAX_URL_LENGTH } from "./byte-string.ts";
import { findCanonicalParts, IN_HOST, IN_PATH, IN_QUERY } from "./canonical-parts.ts";
import type { CanonicalSpans } from "./canonical-spans.ts";
import { mustEscape } from "./steps/percent-escapes.ts";

export type { CanonicalSpans } from "./canonical-spans.ts";

const BYTE_CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (mustEscape(byte)) return 0;
  // Browsers treat a backslash as a slash, except in a query.
  if (byte === BACKSLASH) return IN_QUERY;
  // In a host or a path, these three bytes are checked one by one.
  if (byte === SLASH || byte === DOT || byte === QUESTION_MARK) return IN_QUERY;
  const isPlainInHost = /[a-z0-9-]/.test(String.fromCharCode(byte));
  return isPlainInHost ? IN_HOST | IN_PATH | IN_QUERY : IN_PATH | IN_QUERY;
});

/**
 * A copy of the table that {@link verifyCanonical} reads, for code that does the same check in WebAssembly. For each
 * byte, the table says where the byte may appear unescaped in a canonical URL: the sum of 1 for the host, 2 for the
 * path and 4 for the query.
 */
export function byteClasses(): Uint8Array<ArrayBuffer> {
  return BYTE_CLASSES.slice();
}

/**
 * Whether the bytes from `start` to `end` are already the canonical form of an `http` or `https` URL whose host is a
 * name. A fragment may follow the URL. If the bytes are such a URL, the indices of its parts are written to `spans`.
 *
 * The function allocates nothing and changes nothing else. `true` proves that the URL is canonical, and is the result
 * for most URLs in real traffic. `false` says nothing about the URL, not even that it is not canonical: call
 * `parseUrl`.
 *
 * `true` also proves that a browser opens this same URL or none, so there is no need to call `tryParseUrlAsBrowser`,
 * and that `readUrl` of `@x/canon/readings` reports no problem. So the result is `false` for a backslash in the host or
 * the path: `http://evil.example\.good.example/` is canonical, but browsers treat its backslash as a slash. The result
 * is also `false` for a host whose last label starts with a digit, because such a host may be an address, perhaps only
 * in browsers (`1.0x.3.4`); for a host with characters that names usually do not have; and for a host whose last label
 * starts with `xn-`, starts or ends with a hyphen, or looks like the name of a scheme.
 *
 * @example
 * ```ts
 * import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
 *
 * const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
 * const bytes = new TextEncoder().encode("http://a.b/c?d");
 * verifyCanonical(bytes, 0, bytes.length, spans); // → true
 * [spans.host, spans.path, spans.query, spans.end]; // → [7, 10, 12, 14]
 * ```
 */
export function verifyCanonical(
  bytes: Uint8Array,
  start: number,
  end: number,
  spans: CanonicalSpans,
): boolean {
  if (end - start > MAX_URL_LENGTH) return false;
  if (!findCanonicalParts(bytes, start, end, BYTE_CLASSES, spans)) return false;
  spans.hostType = "domain";
  return true;
}
