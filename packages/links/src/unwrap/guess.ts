import { documentInDataUrl } from "./data-url.ts";
import { decodeBase64, decodeParameter, decodePercents } from "./decode.ts";

/** How often a part of a URL is decoded. Sites that pass a URL on through others escape it again each time. */
const MAX_DECODINGS = 4;

/** A URL that does not begin in the middle of a word. */
const URL_START = /(?<![a-z0-9+.-])(?:https?|ftp):[/\\]+[^/\\\s]/i;
/** The same anywhere in a program or a document, up to its end there. */
const URLS = /(?<![a-z0-9+.-])(?:https?|ftp):[/\\]+[^/\\\s"'<>`][^\s"'<>`]*/gi;
/** A scheme that is not one of the web. */
const OTHER_SCHEME = /^[\0- ]*(?!https?:|ftp:)[a-z][a-z0-9+.-]*:/i;
/** `http:/` and `https:` in base64. */
const BASE64_START = /(?<![\w+-])aHR0c(?:Dov|HM6)/;

/** The first absolute URL in a text, up to its end; `null` if there is none. */
function urlIn(text: string, decode: (text: string) => string): string | null {
  let current = text;
  for (let decodings = 0; ; decodings++) {
    const start = current.search(URL_START);
    if (start >= 0) return upToQuote(current, start);
    const base64 = current.search(BASE64_START);
    if (base64 >= 0) return decodeBase64(current.slice(base64));
    if (decodings === MAX_DECODINGS) return null;
    const next = (decodings === 0 ? decode : decodePercents)(current);
    if (next === current) return null;
    current = next;
  }
}

/** A URL, which ends where the string of a program or of JSON ends that it is in. */
function upToQuote(text: string, start: number): string {
  const quote = text.charAt(start - 1);
  const end = quote === '"' || quote === "'" ? text.indexOf(quote, start) : -1;
  return end < 0 ? text.slice(start) : text.slice(start, end);
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
  // A URL that is in a path unescaped has a query of its own.
  if (inPath >= 0) found.push(upToQuote(rest, inPath));
  else add(urlIn(path!, decodePercents));
  for (const part of rest.slice(path!.length).split(/[?&#]/)) add(urlIn(part, decodeParameter));
  return found;

  function add(url: string | null): void {
    if (url !== null) found.push(url);
  }
}

/**
 * Absolute URLs in a URL of another scheme: in a program after `javascript:`, in the document of a `data:` URL, or for
 * an application, as in `microsoft-edge:https://evil.example/`. At most `limit` of them.
 */
export function guessUrlsOfScheme(url: string, limit: number): readonly string[] {
  const scheme = OTHER_SCHEME.exec(url);
  if (scheme === null) return [];
  const content = documentInDataUrl(url) ?? decodePercents(url.slice(scheme[0].length));
  const found: string[] = [];
  for (const [each] of content.matchAll(URLS)) {
    if (found.push(each) === limit) break;
  }
  return found;
}
