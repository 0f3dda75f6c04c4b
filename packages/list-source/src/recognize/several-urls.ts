import { holdsSeveralUrls } from "@x/canon/other-text";

const SECOND_URL = /[\s,;|][A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Whether a line of a list has several URLs. Unlike `holdsSeveralUrls`, the function also finds a URL after a blank or
 * a separator in a query or a fragment. One URL may have such a query, but an entry with two URLs would match nothing.
 */
export function holdsSeveralEntries(line: string): boolean {
  const first = line.indexOf("://");
  return (first >= 0 && SECOND_URL.test(line.slice(first + 1))) || holdsSeveralUrls(line);
}
