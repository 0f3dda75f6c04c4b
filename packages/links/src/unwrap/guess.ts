import { decodeBase64, decodeParameter, decodePercents } from "./decode.ts";

/** How often a part of a URL is decoded. Sites that pass a URL on through others escape it again each time. */
const MAX_DECODINGS = 4;

/** A URL that does not begin in the middle of a word. */
const URL_START = /(?<![a-z0-9+.-])(?:https?|ftp):[/\\]+[^/\\\s]/i;
/** `http:/` and `https:` in base64. */
const BASE64_START = /(?<![\w+/-])aHR0c(?:Dov|HM6)/;

/** The first absolute URL in a text, up to its end; `null` if there is none. */
function urlIn(text: string, decode: (text: string) => string): string | null {
  let current = text;
  for (let decodings = 0; ; decodings++) {
    const start = current.search(URL_START);
    if (start >= 0) return current.slice(start);
    const base64 = current.search(BASE64_START);
    if (base64 >= 0) return decodeBase64(current.slice(base64));
    if (decodings === MAX_DECODINGS) return null;
    const next = (decodings === 0 ? decode : decodePercents)(current);
    if (next === current) return null;
    current = next;
  }
}

const POSSIBLE = /%|http|ftp:|aHR0c/i;

/**
 * Absolute URLs in the path, the parameters and the fragment of a URL, as they stand there, percent-encoded, or in
 * base64. At most one of each part.
 *
 * @param rest everything after the host and port.
 */
export function guessUrls(rest: string): readonly string[] {
  if (!POSSIBLE.test(rest)) return [];
  const found: string[] = [];
  const [path] = rest.split(/[?#]/, 1);
  const inPath = path!.search(URL_START);
  // A URL that stands in a path as it is has a query of its own.
  if (inPath >= 0) found.push(rest.slice(inPath));
  else add(urlIn(path!, decodePercents));
  for (const part of rest.slice(path!.length).split(/[?&#]/)) add(urlIn(part, decodeParameter));
  return found;

  function add(url: string | null): void {
    if (url !== null) found.push(url);
  }
}
