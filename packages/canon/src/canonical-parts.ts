import { COLON, DOT, HYPHEN, isDigit, NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE } from "./ascii.ts";
import type { CanonicalSpans } from "./canonical-spans.ts";

// This module uses only numbers and typed arrays, so that it also compiles to WebAssembly.

/** The classes of bytes that may appear unescaped in the host, path and query of a canonical URL. */
export const IN_HOST = 1;
export const IN_PATH = 2;
export const IN_QUERY = 4;

/** The maximum lengths in bytes (RFC 1035 §2.3.4). */
const MAX_LABEL_LENGTH = 63;
const MAX_NAME_LENGTH = 253;

const SMALL_H = 0x68;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const SMALL_P = 0x70;
const SMALL_S = 0x73;
const SMALL_X = 0x78;

/**
 * Whether the bytes from `start` to `end` are the canonical form of an `http` or `https` URL whose host is a name that
 * DNS can have. A fragment may follow the URL. If the bytes are such a URL, the indices of its parts are written to
 * `spans`. The comment on `verifyCanonical` explains the result. The function does not limit the length of the URL.
 *
 * @param classes for each byte, where it may appear unescaped.
 */
export function findCanonicalParts(
  bytes: Uint8Array,
  start: number,
  end: number,
  classes: Uint8Array,
  spans: CanonicalSpans,
): boolean {
  const host = hostStart(bytes, start);
  if (host < 0) return false;

  let i = host;
  let label = host;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if ((classes[byte]! & IN_HOST) !== 0) continue;
    if (byte !== DOT) break;
    if (i === label || i - label > MAX_LABEL_LENGTH) return false;
    label = i + 1;
  }
  // A name whose last label starts with a digit may be an IP address, at least to a browser.
  if (i === label || i >= end || bytes[i] !== SLASH || isDigit(bytes[label]!)) return false;
  if (i - label > MAX_LABEL_LENGTH || i - host > MAX_NAME_LENGTH) return false;
  if (bytes[label] === HYPHEN || bytes[i - 1] === HYPHEN) return false;
  // Not every IDN can be a top-level domain.
  if (bytes[label] === SMALL_X && bytes[label + 1] === SMALL_N && bytes[label + 2] === HYPHEN)
    return false;
  // No top-level domain is spelled like a scheme, such as `http`, or like a defanged scheme, such as `hxxps`.
  const isScheme =
    bytes[label] === SMALL_H &&
    bytes[label + 1] === bytes[label + 2] &&
    bytes[label + 3] === SMALL_P;
  if (isScheme) return false;

  const path = i++;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if ((classes[byte]! & IN_PATH) !== 0) continue;
    if (byte === QUESTION_MARK || byte === NUMBER_SIGN) break;
    if (byte !== SLASH && byte !== DOT) return false;
    // The segment is empty or could be a dot segment.
    if (bytes[i - 1] === SLASH) return false;
  }

  const query = i;
  while (i < end && (classes[bytes[i]!]! & IN_QUERY) !== 0) i++;
  // A number sign starts the fragment, which the canonical form leaves out.
  if (i < end && bytes[i] !== NUMBER_SIGN) return false;
  // A tab is a sign of a table, and a NUL of UTF-16.
  for (let j = i; j < end; j++) if (bytes[j]! < SPACE) return false;
  spans.host = host;
  spans.path = path;
  spans.query = query;
  spans.end = i;
  return true;
}

/** The index after `http://` or `https://`, or -1 for any other beginning. */
function hostStart(bytes: Uint8Array, start: number): number {
  const isHttp =
    bytes[start] === SMALL_H &&
    bytes[start + 1] === SMALL_T &&
    bytes[start + 2] === SMALL_T &&
    bytes[start + 3] === SMALL_P;
  const colon = bytes[start + 4] === SMALL_S ? start + 5 : start + 4;
  const isAuthority =
    bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH;
  return isHttp && isAuthority ? colon + 3 : -1;
}
