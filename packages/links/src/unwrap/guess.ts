import { documentInDataUrl } from "./data-url.ts";
import { decodeBase64, decodeParameter, decodePercents } from "./decode.ts";

/** The maximum number of times that a part of a URL is decoded. Each site that passes a URL on may escape it again. */
const MAX_DECODINGS = 4;

/** A URL that does not begin in the middle of a word. */
const URL_START = /(?<![a-z0-9+.-])(?:https?|ftp):[/\\]+[^/\\\s]/i;
/** The URLs in a script or document, each up to a blank, quotation mark or angle bracket. */
const URLS = /(?<![a-z0-9+.-])(?:https?|ftp):[/\\]+[^/\\\s"'<>`][^\s"'<>`]*/gi;
/** A scheme other than `http`, `https` and `ftp`. */
const OTHER_SCHEME = /^[\0- ]*(?!https?:|ftp:)[a-z][a-z0-9+.-]*:/i;
/** The characters that browsers drop from a URL. */
const IGNORED = /[\t\n\r]+/g;
/** `http:/` and `https:` in base64. */
const BASE64_START = /(?<![\w+-])aHR0c(?:Dov|HM6)/;

/** The first absolute URL in a text, decoded; `null` if there is none. */
function urlIn(text: string, decode: (text: string) => string): string | null {
  let current = text;
  for (let decodings = 0; ; decodings++) {
    const start = current.search(URL_START);
    if (start >= 0) return upToCloser(current, start);
    const base64 = current.search(BASE64_START);
    if (base64 >= 0) return decodeBase64(current.slice(base64));
    if (decodings === MAX_DECODINGS) return null;
    const decoded = (decodings === 0 ? decode : decodePercents)(current);
    const next = decoded.replace(IGNORED, "");
    if (next === current) return null;
    current = next;
  }
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["(", ")"],
  ["<", ">"],
  ["[", "]"],
  ["{", "}"],
]);

/** A URL up to the end of the text or, after an opening quotation mark or bracket, up to the closing one. */
function upToCloser(text: string, start: number): string {
  const opener = text.charAt(start - 1);
  const closer = CLOSERS.get(opener);
  let depth = 1;
  for (let i = start; closer !== undefined && i < text.length; i++) {
    if (text[i] === closer) depth--;
    else if (text[i] === opener) depth++;
    if (depth === 0) return text.slice(start, i);
  }
  return text.slice(start);
}

const POSSIBLE = /%|http|ftp:|aHR0c/i;

/**
 * Absolute URLs in the path, the parameters and the fragment of a URL: plain, percent-encoded, or in base64. At most
 * one is returned for each part.
 *
 * @param rest everything after the host and port.
 */
export function guessUrls(rest: string): readonly string[] {
  if (!POSSIBLE.test(rest)) return [];
  const found: string[] = [];
  const [path] = rest.split(/[?#]/, 1);
  const inPath = path!.search(URL_START);
  // An unescaped URL in a path includes the query.
  if (inPath >= 0) found.push(upToCloser(rest, inPath));
  else add(urlIn(path!, decodePercents));
  for (const part of rest.slice(path!.length).split(/[?&#]/)) add(urlIn(part, decodeParameter));
  return found;

  function add(url: string | null): void {
    if (url !== null) found.push(url);
  }
}

/**
 * Returns up to `limit` absolute URLs in a URL that is not `http`, `https` or `ftp`: in a script after `javascript:`,
 * in the document of a `data:` URL, or for an app, as in `microsoft-edge:https://evil.example/`.
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
