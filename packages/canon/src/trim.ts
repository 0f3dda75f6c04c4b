import { SPACE } from "./ascii.ts";

/** Removes TAB, CR and LF wherever they stand, but not their escapes ("Canonicalization", first). */
export function removeTabCrLf(url: string): string {
  return /[\t\r\n]/.test(url) ? url.replace(/[\t\r\n]+/g, "") : url;
}

/** Removes the spaces at both ends, and no other blanks (the vector `"  http://www.google.com/  "`). */
export function trimSpaces(url: string): string {
  let start = 0;
  let end = url.length;
  while (url.charCodeAt(start) === SPACE) start++;
  while (end > start && url.charCodeAt(end - 1) === SPACE) end--;
  return url.slice(start, end);
}

/** Cuts the URL at its first `#`; an escaped one starts no fragment ("Canonicalization", second). */
export function removeFragment(url: string): string {
  const start = url.indexOf("#");
  return start < 0 ? url : url.slice(0, start);
}
