import { asciiLowerCase, COLON, DOT, HYPHEN, isDigit, isLetter, PLUS, SPACE } from "../ascii.ts";
import { decideElsewhere, decideInHost, holdsUndecided } from "../byte-string.ts";
import { escapeBytes } from "./percent-escapes.ts";

/** Removes TAB, CR and LF everywhere in the URL, but not their escapes. */
export function removeTabCrLf(url: string): string {
  return /[\t\r\n]/.test(url) ? url.replace(/[\t\r\n]+/g, "") : url;
}

/** Removes spaces at both ends, but no other white space (the vector `"  http://www.google.com/  "`). */
export function trimSpaces(url: string): string {
  let start = 0;
  let end = url.length;
  while (url.charCodeAt(start) === SPACE) start++;
  while (end > start && url.charCodeAt(end - 1) === SPACE) end--;
  return url.slice(start, end);
}

/** Cuts the URL off at its first `#`. An escaped `#` does not start a fragment. */
export function removeFragment(url: string): string {
  const start = url.indexOf("#");
  return start < 0 ? url : url.slice(0, start);
}

/** Whether a host is a name, an IPv4 address or an IPv6 address. */
export type HostType = "domain" | "ipv4" | "ipv6";

/** The parts of a URL that the steps are changing. All strings are byte strings. */
export interface UrlParts {
  /** The scheme in lower case, without the colon. */
  readonly scheme: string;
  /** At first the whole authority as written, with user, host and port. */
  host: string;
  /** The index at which the authority starts in the URL that was split. */
  readonly authorityStart: number;
  hostType: HostType;
  /** Whether the host has characters that UTS #46 cannot decide. Such a host keeps its bytes. */
  isHostUndecided: boolean;
  /** The path, which starts with a slash. */
  path: string;
  /** The query, without its question mark, or `null` when the URL has no query. */
  query: string | null;
}

const PORT = /^[0-9]+(?:[/?]|$)/;

/** The scheme that a URL begins with, including its colon, or an empty string when there is none. */
export function writtenScheme(url: string): string {
  let i = 0;
  while (isLetter(url.charCodeAt(i)) || (i > 0 && isSchemeCharacter(url.charCodeAt(i)))) i++;
  return i > 0 && url.charCodeAt(i) === COLON ? url.slice(0, i + 1) : "";
}

function isSchemeCharacter(code: number): boolean {
  return isDigit(code) || code === PLUS || code === HYPHEN || code === DOT;
}

/**
 * Splits an unescaped URL. Returns `null` when the URL has a scheme without `//` after it.
 *
 * A URL without a scheme is an `http` URL. The text before a colon is a host, not a scheme, when a port
 * follows: `google.com:8999/x`. A backslash is an ordinary character.
 */
export function splitUrl(url: string): UrlParts | null {
  let scheme = "http";
  let start = 0;
  const found = writtenScheme(url);
  if (url.startsWith("//", found.length)) {
    if (found !== "") scheme = asciiLowerCase(found.slice(0, -1));
    start = found.length + 2;
  } else if (found !== "" && !PORT.test(url.slice(found.length))) {
    return null;
  }

  const question = indexOrEnd(url, "?", start);
  const slash = Math.min(indexOrEnd(url, "/", start), question);
  const parts: UrlParts = {
    scheme,
    host: url.slice(start, slash),
    authorityStart: start,
    hostType: "domain",
    isHostUndecided: false,
    path: slash === question ? "/" : url.slice(slash, question),
    query: question === url.length ? null : url.slice(question + 1),
  };
  if (holdsUndecided(url)) {
    parts.host = decideInHost(parts.host);
    parts.path = decideElsewhere(parts.path);
    if (parts.query !== null) parts.query = decideElsewhere(parts.query);
  }
  return parts;
}

function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}

export function escapeParts(parts: UrlParts): void {
  parts.host = escapeBytes(parts.host);
  parts.path = escapeBytes(parts.path);
  if (parts.query !== null) parts.query = escapeBytes(parts.query);
}

export function formatParts({ scheme, host, path, query }: UrlParts): string {
  return `${scheme}://${host}${path}${query === null ? "" : `?${query}`}`;
}

/**
 * Resolves the `.` and `..` segments of a path. A `..` removes the segment before it, even an empty one,
 * and never goes above the root.
 */
export function resolveDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const segments = path.split("/");
  const last = segments.length - 1;
  // The first segment is empty, because a path starts with a slash.
  for (let i = 1; i <= last; i++) {
    const segment = segments[i]!;
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
    // A dot segment at the end leaves the folder with its slash.
    if (i === last && (segment === "." || segment === "..")) kept.push("");
  }
  return `/${kept.join("/")}`;
}

export function collapseSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}
