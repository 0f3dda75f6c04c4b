/**
 * Matches a second URL in the same text, but not after a slash: `https://archive.example/http://evil.example/` is one
 * URL.
 */
const SECOND_URL = /[\s,;|][A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** Whether another URL follows a URL with a scheme, after a blank, comma, semicolon or bar. */
export function holdsSeveralUrls(text: string): boolean {
  const first = text.indexOf("://");
  if (first < 0 || text.indexOf("://", first + 1) < 0) return false;
  return SECOND_URL.test(text.slice(first + 1));
}
