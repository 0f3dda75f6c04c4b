import { asciiLowerCase, COLON, DOT, HYPHEN, isDigit, isLetter, PLUS, SPACE } from "../ascii.ts";

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

/** Cuts the URL at its first `#`. An escaped one does not start a fragment. */
export function removeFragment(url: string): string {
  const start = url.indexOf("#");
  return start < 0 ? url : url.slice(0, start);
}

/** The parts of an unescaped URL, as byte strings. */
interface UrlParts {
  /** Lower-case, without the colon. */
  readonly scheme: string;
  /** User, host and port, as written. */
  readonly authority: string;
  /** Where the authority starts in the URL. */
  readonly authorityStart: number;
  /** Starts with a slash. */
  readonly path: string;
  /** Without its question mark; `null` when the URL has none. */
  readonly query: string | null;
}

const PORT = /^[0-9]+(?:[/?]|$)/;

/** The scheme that a URL begins with, and its colon; empty when it has no scheme. */
export function writtenScheme(url: string): string {
  let i = 0;
  while (isLetter(url.charCodeAt(i)) || (i > 0 && isSchemeCharacter(url.charCodeAt(i)))) i++;
  return i > 0 && url.charCodeAt(i) === COLON ? url.slice(0, i + 1) : "";
}

function isSchemeCharacter(code: number): boolean {
  return isDigit(code) || code === PLUS || code === HYPHEN || code === DOT;
}

/**
 * Splits an unescaped URL; `null` when its scheme is not followed by `//` and an authority.
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
  return {
    scheme,
    authority: url.slice(start, slash),
    authorityStart: start,
    path: slash === question ? "/" : url.slice(slash, question),
    query: question === url.length ? null : url.slice(question + 1),
  };
}

function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}
