import {
  BACKSLASH,
  COLON,
  DOT,
  isDigit,
  isUpperCase,
  NUMBER_SIGN,
  QUESTION_MARK,
  SLASH,
} from "./ascii.ts";
import { MAX_URL_LENGTH } from "./error.ts";
import type { HostType } from "./steps/ip-address.ts";
import { mustEscape } from "./steps/percent-escapes.ts";

export { parseUrlOr, type UrlProblem } from "./parse.ts";

/** Where the parts of a canonical URL are, as indexes into a `Uint8Array`. */
export interface CanonicalSpans {
  hostType: HostType;
  /** Where the host starts. */
  host: number;
  /** Where the host ends and the path starts. */
  path: number;
  /** Where the path ends: at the question mark, or at `end` when there is no query. */
  query: number;
  /** Where the URL ends, without its fragment. */
  end: number;
}

/** Bytes that may stand unescaped in the host, path or query of a canonical URL. */
const IN_HOST = 1;
const IN_PATH = 2;
const IN_QUERY = 4;

const CLASSES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (mustEscape(byte)) return 0;
  // Browsers treat it as a slash, except in a query.
  if (byte === BACKSLASH) return IN_QUERY;
  // In a host or a path, these are checked one by one.
  if (byte === SLASH || byte === DOT || byte === QUESTION_MARK) return IN_QUERY;
  const isPlainInHost = !isUpperCase(byte) && !":@[]".includes(String.fromCharCode(byte));
  return isPlainInHost ? IN_HOST | IN_PATH | IN_QUERY : IN_PATH | IN_QUERY;
});

const SMALL_S = 0x73;
const HTTP: readonly number[] = Array.from("http", (letter) => letter.charCodeAt(0));

/**
 * Whether the bytes from `start` to `end` are already the canonical form of an `http` or `https` URL whose
 * host is a name. They may have a fragment besides. If so, the indexes of the URL's parts are written to `spans`.
 *
 * It allocates nothing and changes nothing else. `true` is a proof, and the result for nearly every URL
 * in real traffic. `false` says nothing about the URL, not even that it is not canonical: call
 * `parseUrl`.
 *
 * `true` also proves that a browser opens this same URL or none, so there is no need to call
 * `tryParseUrlAsBrowser`. That is why the result is `false` for a backslash in the host or the path:
 * `http://evil.example\.good.example/` is canonical, but browsers treat its backslash as a slash. It is also
 * `false` for a host whose last label starts with a digit. Such a host may be an address, or be one only to
 * browsers (`1.0x.3.4`).
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
  const host = hostStart(bytes, start);
  if (host < 0 || end - start > MAX_URL_LENGTH) return false;

  let i = host;
  let label = host;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if ((CLASSES[byte]! & IN_HOST) !== 0) continue;
    // A label must not be empty.
    if (byte !== DOT || i === label) break;
    label = i + 1;
  }
  // A name whose last label starts with a digit may be an IP address, at least to a browser.
  if (i === label || i >= end || bytes[i] !== SLASH || isDigit(bytes[label]!)) return false;

  const path = i++;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if ((CLASSES[byte]! & IN_PATH) !== 0) continue;
    if (byte === QUESTION_MARK || byte === NUMBER_SIGN) break;
    if (byte !== SLASH && byte !== DOT) return false;
    // An empty segment, or one that could be a dot segment.
    if (bytes[i - 1] === SLASH) return false;
  }

  const query = i;
  while (i < end && (CLASSES[bytes[i]!]! & IN_QUERY) !== 0) i++;
  // What follows a number sign is the fragment, which a canonical form leaves out.
  if (i < end && bytes[i] !== NUMBER_SIGN) return false;
  spans.hostType = "domain";
  spans.host = host;
  spans.path = path;
  spans.query = query;
  spans.end = i;
  return true;
}

/** Where the host starts, after `http://` or `https://`; -1 for any other beginning. */
function hostStart(bytes: Uint8Array, start: number): number {
  for (let i = 0; i < HTTP.length; i++) if (bytes[start + i] !== HTTP[i]) return -1;
  const colon = start + HTTP.length + (bytes[start + HTTP.length] === SMALL_S ? 1 : 0);
  const isAuthority =
    bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH;
  return isAuthority ? colon + 3 : -1;
}
