import { resolveSegments } from "./browser-url-parts.ts";

/**
 * Matches the start of a link that Firefox resolves against its page: two slashes, perhaps after a scheme if one of
 * them is a backslash. Other browsers read such a link as they read any other URL.
 */
const START = /^(?:(https?):(?!\/\/))?[/\\]{2}/i;

/**
 * The text into which Firefox changes a link on a page before it reads the text as a URL, or `null` if Firefox does not
 * change the link.
 *
 * Firefox resolves dot segments in the part that it treats as the path: everything from the first slash up to a
 * question mark or number sign. After a scheme, this first slash may be a third slash before the host, so
 * `http:\\\a/../b` opens the host `b`. In `//a?b=/c/../d`, the first slash is in the query.
 *
 * Measured on Firefox ESR 153.7 (`nsStandardURL::Resolve`).
 */
export function asFirefoxLink(text: string): string | null {
  const start = START.exec(text);
  if (start === null) return null;
  const [slashes, scheme] = start;
  const written = text.slice(slashes.length);
  const mark = written.search(/[?#]/);
  const end = mark < 0 ? written.length : mark;
  const link = written.slice(0, end).replaceAll("\\", "/") + written.slice(end);
  const rest = scheme === undefined ? link.replace(/^\/+/, "") : link;
  const slash = rest.indexOf("/");
  if (slash < 0) return null;
  const length = rest.slice(slash).search(/[?#]/);
  const pathEnd = length < 0 ? rest.length : slash + length;
  const path = rest.slice(slash, pathEnd);
  const resolved = resolveSegments(path);
  if (resolved === path) return null;
  return `${scheme ?? "http"}://${rest.slice(0, slash)}${resolved}${rest.slice(pathEnd)}`;
}
