/**
 * Matches a second URL in the same text, but not after a slash: `https://archive.example/http://evil.example/` is one
 * URL.
 */
const SECOND_URL = /[\s,;|][A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Matches a host with a URL after it. To the specification, the host is a scheme, but a person reads it first, and
 * browsers open neither of the two.
 */
const HOST_AS_SCHEME = /^\s*(?:[A-Za-z][A-Za-z0-9-]*\.)+[A-Za-z][A-Za-z0-9-]*:\/\//;

/**
 * Whether another URL follows a URL with a scheme, after a blank, comma, semicolon or bar, or the scheme has the form
 * of a host: `evil.example://good.example/`.
 */
export function holdsSeveralUrls(text: string): boolean {
  const first = text.indexOf("://");
  if (first < 0) return false;
  if (text.lastIndexOf(".", first) >= 0 && HOST_AS_SCHEME.test(text)) return true;
  if (text.indexOf("://", first + 1) < 0) return false;
  return SECOND_URL.test(text.slice(first + 1));
}
