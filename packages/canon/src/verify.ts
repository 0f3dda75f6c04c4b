import { COLON, DOT, isDigit, isUpperCase, QUESTION_MARK, SLASH } from "./ascii.ts";
import type { HostType } from "./host.ts";
import { MAX_URL_LENGTH } from "./max-url-length.ts";
import { mustEscape } from "./must-escape.ts";

/** Where the parts of a canonical URL stand among octets. */
export interface CanonicalSpans {
  hostType: HostType;
  /** Where the host starts. */
  host: number;
  /** Where the host ends and the path starts. */
  path: number;
  /** Where the path ends: at the question mark, or at `end` when there is no query. */
  query: number;
  /** Where the URL ends. */
  end: number;
}

/** Octets that a canonical URL may hold in its host, path or query as they are. */
const IN_HOST = 1;
const IN_PATH = 2;
const IN_QUERY = 4;

const CLASSES: Uint8Array = Uint8Array.from({ length: 256 }, (_, octet) => {
  if (mustEscape(octet)) return 0;
  // These, in a path or a host, are looked at one by one.
  if (octet === SLASH || octet === DOT || octet === QUESTION_MARK) return IN_QUERY;
  const isPlainInHost = !isUpperCase(octet) && !":@[]".includes(String.fromCharCode(octet));
  return isPlainInHost ? IN_HOST | IN_PATH | IN_QUERY : IN_PATH | IN_QUERY;
});

const SMALL_S = 0x73;
const HTTP: readonly number[] = Array.from("http", (letter) => letter.charCodeAt(0));

/**
 * Whether the octets from `start` to `end` are, as they stand, the canonical form of an `http` or `https`
 * URL whose host is a name; if so, `spans` is told where its parts are.
 *
 * It makes nothing and changes nothing: `true` is a proof, and nearly every URL of real traffic gets one.
 * `false` says nothing about the URL, not even that it is not canonical; `parseUrl` knows.
 */
export function verifyCanonical(
  octets: Uint8Array,
  start: number,
  end: number,
  spans: CanonicalSpans,
): boolean {
  const host = hostStart(octets, start);
  if (host < 0 || end - start > MAX_URL_LENGTH) return false;

  let i = host;
  let label = host;
  for (; i < end; i++) {
    const octet = octets[i]!;
    if (octet === DOT) {
      if (i === label) return false;
      label = i + 1;
    } else if ((CLASSES[octet]! & IN_HOST) === 0) {
      break;
    }
  }
  // A name whose last label starts with a digit may be an IP address.
  if (i === label || i >= end || octets[i] !== SLASH || isDigit(octets[label]!)) return false;

  const path = i++;
  for (; i < end; i++) {
    const octet = octets[i]!;
    if ((CLASSES[octet]! & IN_PATH) !== 0) continue;
    if (octet === QUESTION_MARK) break;
    if (octet !== SLASH && octet !== DOT) return false;
    // Neither an empty segment nor one that could be a dot segment.
    if (octets[i - 1] === SLASH) return false;
  }

  const query = i;
  for (; i < end; i++) if ((CLASSES[octets[i]!]! & IN_QUERY) === 0) return false;
  spans.hostType = "domain";
  spans.host = host;
  spans.path = path;
  spans.query = query;
  spans.end = end;
  return true;
}

/** Where the host starts behind `http://` or `https://`; -1 behind anything else. */
function hostStart(octets: Uint8Array, start: number): number {
  for (let i = 0; i < HTTP.length; i++) if (octets[start + i] !== HTTP[i]) return -1;
  const colon = start + HTTP.length + (octets[start + HTTP.length] === SMALL_S ? 1 : 0);
  const isAuthority =
    octets[colon] === COLON && octets[colon + 1] === SLASH && octets[colon + 2] === SLASH;
  return isAuthority ? colon + 3 : -1;
}
