import {
  decodeBase64,
  decodeHex,
  decodeParameter,
  decodePercents,
  documentInDataUrl,
  ENCODED_MARKS,
} from "./decode.ts";

/** The maximum number of times that a part of a URL is decoded. Each site that passes a URL on may escape it again. */
const MAX_DECODINGS = 4;
/** The maximum number of times that base64 in a part of a URL is decoded. */
const MAX_BASE64 = 3;

/** A URL. Where an escape precedes it, it is read after the escape is decoded. */
const URL_START = /(?<!%[\da-f]{2})(?:https?|ftp):[/\\]+[^/\\\s]/gi;
/** The characters that may follow a URL that does not begin at the start of a text. */
const AFTER_URL = /[\s"'<>`|,;&*]/;
const BEFORE_NEXT_URL = /[\s"'<>`|,;](?=(?:https?|ftp):)/i;
/** The URLs in a script or document, each up to a space, quotation mark or angle bracket. */
const URLS = /(?:https?|ftp):[/\\]+[^/\\\s"'<>`][^\s"'<>`]*/gi;
/** A value that browsers open at another host: slashes may follow the scheme, and the scheme may be missing. */
const OPENED = /^[\0- ]*((?:https?|ftp):)?([/\\]*)(?=[^/\\\s])/i;
/** A host after two slashes. Without a dot, it is more likely a path. */
const HOST_WITH_DOT = /^[^/\\?#]*[.\u3002\uff0e\uff61]/;
/** A scheme other than `http`, `https` and `ftp`. */
const OTHER_SCHEME = /^[\0- ]*(?!https?:|ftp:)[a-z][a-z0-9+.-]*:/i;
/** The characters that browsers drop from a URL. */
const IGNORED = /[\t\n\r]+/g;
const IN_BASE64_OR_HEX = new RegExp(
  ENCODED_MARKS.map((places) => places.map((characters) => `[${characters}]`).join("")).join("|"),
);
/** A text that may be in base64 or, in hexadecimal, begins with `http`. */
const DIGITS = /[\w+/-]{8,}/g;
const HEX = /(?:68|48)(?:[75]4){2}[75]0(?:[\da-f]{2})*/i;
/** A URL whose slashes are escaped, as in JSON. */
const ESCAPED_SLASHES = /^[a-z]+:(?:\\+\/){2}/i;
const JSON_START = /^\s*[[{]/;

/** The URLs that a part of a URL may contain. */
export interface Guesses {
  readonly urls: readonly string[];
  /** Whether a part is escaped more often than it is decoded. */
  readonly isDeeper: boolean;
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

const POSSIBLE = new RegExp(String.raw`[%:]|[=+?#&][/\\]{2}|${IN_BASE64_OR_HEX.source}`);

/**
 * URLs in the path, the parameters and the fragment of a URL: plain, percent-encoded, in base64, or in JSON. A part is
 * read before and after each time that it is decoded, because each site decodes the URL that it redirects to once.
 *
 * @param rest everything after the host and port.
 * @param limit the maximum number of URLs to return.
 */
export function guessUrls(rest: string, limit: number): Guesses {
  if (!POSSIBLE.test(rest)) return { urls: [], isDeeper: false };
  const urls = new Set<string>();
  const opened = new Set<string>();
  let isDeeper = false;
  const [path] = rest.split(/[?#]/, 1);
  URL_START.lastIndex = 0;
  const inPath = URL_START.exec(path!)?.index ?? -1;
  // An unescaped URL in a path includes the query.
  read(inPath < 0 ? path! : upToCloser(rest, inPath), decodePercents, MAX_BASE64, false);
  for (const part of rest.slice(path!.length).split(/[?&#]/)) {
    const equals = part.indexOf("=");
    if (equals < 0 || POSSIBLE.test(part.slice(0, equals))) {
      read(part, decodeParameter, MAX_BASE64, equals < 0);
    }
    if (equals >= 0) read(part.slice(equals + 1), decodeParameter, MAX_BASE64, true);
  }
  return { urls: [...urls], isDeeper };

  /** Adds the URLs in a text at each level of decoding. */
  function read(
    text: string,
    decode: (text: string) => string,
    base64: number,
    isValue: boolean,
  ): void {
    let current = text;
    for (let decodings = 0; urls.size < limit; decodings++) {
      readLevel(current, base64, isValue);
      const decoded = (decodings === 0 ? decode : decodePercents)(current).replace(IGNORED, "");
      if (decoded === current) return;
      if (decodings === MAX_DECODINGS) {
        isDeeper = true;
        return;
      }
      current = decoded;
    }
  }

  function readLevel(text: string, base64: number, isValue: boolean): void {
    const value = isValue ? openedUrl(text) : null;
    if (value !== null) add(value);
    const strings = JSON_START.test(text) ? stringsInJson(text) : [];
    // A string may be opened twice: as it is, and decoded from base64.
    for (const string of strings) readOnce(`"${string}`, string, base64);
    if (strings.length === 0) addUrls(text);
    for (const [run] of text.matchAll(DIGITS)) {
      if (!IN_BASE64_OR_HEX.test(run)) continue;
      const hex = HEX.exec(run);
      if (hex !== null) readOnce(hex[0], decodeHex(hex[0]), base64);
      for (const digits of inBase64(run)) {
        if (base64 === 0) isDeeper = true;
        else readOnce(digits, decodeBase64(digits) ?? "", base64 - 1);
      }
    }
  }

  /**
   * Adds the URLs in a text. One that begins later than the text may end before it, too. Only the first one is added up
   * to the end of the text: the others are found again inside it.
   */
  function addUrls(text: string): void {
    URL_START.lastIndex = 0;
    let isFirst = true;
    for (let match = URL_START.exec(text); match !== null; match = URL_START.exec(text)) {
      if (urls.size >= limit) return;
      const rest = text.slice(match.index);
      const length = rest.search(match.index === 0 ? BEFORE_NEXT_URL : AFTER_URL);
      const end = length < 0 ? text.length : match.index + length;
      if (isFirst) add(upToCloser(text, match.index));
      const url = upToCloser(text.slice(0, end), match.index);
      add(url);
      if (length < 0) return;
      URL_START.lastIndex = match.index + Math.max(url.length, match[0].length);
      isFirst = false;
    }
  }

  function add(url: string): void {
    urls.add(ESCAPED_SLASHES.test(url) ? url.replace(/\\+\//g, "/") : url);
  }

  function readOnce(written: string, text: string, base64: number): void {
    if (opened.has(written)) return;
    opened.add(written);
    read(text, decodePercents, base64, true);
  }
}

/**
 * The parts of a text that may be in base64. A slash may end it, as in a path, and a group of four digits may begin at
 * any of its first four digits, because something else may precede it.
 */
function inBase64(run: string): readonly string[] {
  const segments = run.split("/");
  const first = segments.findIndex((segment) => IN_BASE64_OR_HEX.test(segment));
  const marked = segments.filter((segment) => IN_BASE64_OR_HEX.test(segment));
  const whole = first < 0 ? run : segments.slice(first).join("/");
  return [whole, ...marked].flatMap((digits) => [0, 1, 2, 3].map((start) => digits.slice(start)));
}

/** The URL that browsers open for a whole value; `null` if it stays at the same host. */
function openedUrl(value: string): string | null {
  const [start, scheme, slashes] = OPENED.exec(value) ?? [];
  if (start === undefined) return null;
  const after = value.slice(start.length);
  if (scheme === undefined && (slashes!.length < 2 || !HOST_WITH_DOT.test(after))) return null;
  return `${scheme ?? "http:"}//${after}`;
}

/** The strings in a JSON document, and its names. */
function stringsInJson(text: string): readonly string[] {
  const strings: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      strings.push(name);
      if (typeof value === "string") strings.push(value);
      return null;
    });
  } catch {
    // Not JSON, or nested so deeply that only some of the strings were reached.
  }
  return strings;
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
