import { asciiLowerCase } from "./ascii.ts";
import type { CanonFailure } from "./error.ts";

/** The parts of an unescaped URL, as octet strings. */
export interface UrlParts {
  /** Lower-case, without the colon. */
  readonly scheme: string;
  /** User, host and port, as they stand. */
  readonly authority: string;
  /** Where the authority starts in the URL. */
  readonly authorityStart: number;
  /** Starts with a slash. */
  readonly path: string;
  /** Without its question mark; `null` when the URL has none. */
  readonly query: string | null;
}

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const PORT = /^[0-9]+(?:[/?]|$)/;

/**
 * Splits an unescaped URL.
 *
 * A URL without a scheme is an `http` one. What stands before a colon is a host, not a scheme, when a
 * port follows: `google.com:8999/x`. A backslash is an ordinary character.
 */
export function splitUrl(url: string): UrlParts | CanonFailure {
  let scheme = "http";
  let start = 0;
  const found = SCHEME.exec(url)?.[0] ?? "";
  if (url.startsWith("//", found.length)) {
    if (found !== "") scheme = asciiLowerCase(found.slice(0, -1));
    start = found.length + 2;
  } else if (found !== "" && !PORT.test(url.slice(found.length))) {
    return { code: "authority-missing", before: found };
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
