import { SPACE } from "../ascii.ts";

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
