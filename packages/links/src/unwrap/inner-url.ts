import { decodePercents } from "./decode.ts";

const ABSOLUTE = /^(?:https?|ftp|wss?|view-source|blob|filesystem|intent):/i;
/** A URL that was percent-encoded as a whole once more. */
const ESCAPED = /^(?:https?|ftp)%3a/i;
/**
 * The slashes before a host name without a scheme. The name may have any character beyond ASCII, even an unassigned
 * one.
 */
const WITHOUT_SCHEME =
  /^(?:[/\\]{2})?(?=(?:[\w\u0080-\u{10ffff}-]+\.)+[a-z\u0080-\u{10ffff}][a-z\d\u0080-\u{10ffff}-]*(?::\d+)?(?:[/?#]|$))/iu;

/**
 * A host without a scheme that is longer than this is not recognized, because no host name has that many characters.
 */
const LONGEST_NAME = 255;

/**
 * The URL in a value that a wrapped link contains. A value without a scheme counts if it begins with a host name.
 * `null` for any other value, such as a path.
 */
export function innerUrl(value: string): string | null {
  const trimmed = value.trim();
  const text = ESCAPED.test(trimmed) ? decodePercents(trimmed) : trimmed;
  if (ABSOLUTE.test(text)) return withTwoSlashes(text);
  const end = text.slice(2).search(/[/?#]/);
  if ((end < 0 ? text.length : end) > LONGEST_NAME) return null;
  const start = WITHOUT_SCHEME.exec(text)?.[0];
  return start === undefined ? null : `http://${text.slice(start.length)}`;
}

/** Restores the two slashes after a scheme, which some servers and wrappers merge in a path. */
function withTwoSlashes(text: string): string {
  return text.replace(/^((?:https?|ftp|wss?):)[/\\]*(?=[^/\\])/i, "$1//");
}
