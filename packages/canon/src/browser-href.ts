import { asciiLowerCase, DELETE, isAscii, SPACE } from "./ascii.ts";
import { checkUrl } from "./byte-string.ts";
import { MAX_URL_LENGTH } from "./error.ts";
import { unescapeText } from "./steps/percent-escapes.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./steps/uts46.ts";
import { writtenScheme } from "./steps/whole-url.ts";

/** The URL that a browser opens for an input, without user name and password; or whether that cannot be decided. */
export interface BrowserHref {
  readonly href: string | null;
  /** Whether the host has characters that UTS #46 cannot decide. */
  readonly isUndecided: boolean;
}

const NONE: BrowserHref = Object.freeze({ href: null, isUndecided: false });
const UNDECIDED: BrowserHref = Object.freeze({ href: null, isUndecided: true });

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The schemes that browsers parse by special rules, and any slashes after them. */
const SPECIAL_SCHEME = /^(?:https?|ftp|wss?):[/\\]*/i;

/**
 * What a browser opens for an input. The host is read here, in the same way on every platform, and the platform's `URL` reads
 * the rest. A text that browsers read in different ways has the reading of the one that opens it.
 */
export function findBrowserHref(url: string | Uint8Array): BrowserHref {
  checkUrl(url);
  if (url.length > MAX_URL_LENGTH) return NONE;
  const given = typeof url === "string" ? url : utf8.decode(url);
  const text = trimBlanks(given.replace(/[\t\n\r]+/g, ""));
  if (SPECIAL_SCHEME.test(text)) return findHref(text);
  const corrected = withCorrectedScheme(text);
  const opened = corrected === null ? NONE : findHref(corrected);
  return opened === NONE ? findHref(withScheme(text)) : opened;
}

/** As above, for a text with a scheme. */
function findHref(text: string): BrowserHref {
  const start = SPECIAL_SCHEME.exec(text)?.[0].length ?? 0;
  if (start === 0) return NONE;
  const length = text.slice(start).search(/[/\\?#]/);
  const end = length < 0 ? text.length : start + length;
  const authority = text.slice(start, end);
  const hostAndPort = authority.slice(authority.lastIndexOf("@") + 1);
  // With a user but no host, removing the user would turn the next segment into the host.
  if (hostAndPort === "" || hostAndPort.startsWith(":")) return NONE;
  if (isPlain(hostAndPort)) {
    // The platform takes microseconds to refuse a text.
    if (/[\0-\x1f<>^|\x7f]/.test(hostAndPort)) return NONE;
    const isWhole = hostAndPort.length === authority.length;
    return openedBy(isWhole ? text : text.slice(0, start) + hostAndPort + text.slice(end));
  }

  const hostEnd = endOfHost(hostAndPort);
  const mapped = readHost(hostAndPort.slice(0, hostEnd));
  if (mapped === null) return NONE;
  if (typeof mapped !== "string") return mapped;
  const before = text.slice(0, start);
  const after = hostAndPort.slice(hostEnd) + text.slice(end);
  return openedBy(before + hideOddParts(mapped) + after, mapped);
}

/**
 * Whether the platform reads a host as all browsers do: ASCII without blanks and escapes, and without the labels
 * of IDNA.
 */
function isPlain(hostAndPort: string): boolean {
  return isAscii(hostAndPort) && !/[ %]|xn--/i.test(hostAndPort);
}

/** What the platform reads in a text. If a host is given, it replaces a name in the result. */
function openedBy(text: string, host: string | null = null): BrowserHref {
  // Not `URL.canParse`: few inputs that come here fail, older browsers do not have it, and in Node 20 it is
  // wrong for Latin-1 text once it is optimized.
  try {
    const { href, hostname } = new URL(text);
    if (host === null || !/xn--| /.test(host)) return { href, isUndecided: false };
    const start = href.indexOf("//") + 2;
    const after = href.slice(start + hostname.length);
    const escaped = host.replaceAll(" ", "%20");
    return { href: href.slice(0, start) + escaped + after, isUndecided: false };
  } catch {
    return NONE;
  }
}

/**
 * A host as long as the given one, without what the platform checks or refuses and Chromium accepts: labels of IDNA, which
 * it does not check in a host that is ASCII, and blanks.
 */
function hideOddParts(host: string): string {
  return host.replaceAll("xn--", "xnxx").replaceAll(" ", "z");
}

/**
 * Removes controls and white space at both ends. URLs in pages may have only controls and spaces there, but address bars
 * remove all white space.
 */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code <= SPACE || (code > DELETE && /[\s\x85]/.test(text[index]!));
}

/** A port, as address bars find it. */
const PORT = /^[0-9]+(?:[/\\?#]|$)/;

/**
 * A scheme that address bars correct: with a semicolon or nothing instead of its colon, and those of which Firefox knows that
 * letters are missing.
 */
const MISTYPED_SCHEME =
  /^(?:http(s?)(?:;|(?=\/\/))|(?:ttp|htp)(s?)(?::|;?(?=\/\/))|(?:tp|p)(s)(?::|;?(?=\/\/)))/i;

/** A text with the scheme that one of the address bars takes for mistyped; `null` if it has none. */
function withCorrectedScheme(text: string): string | null {
  const mistyped = MISTYPED_SCHEME.exec(text);
  if (mistyped === null) return null;
  const [written, ...ends] = mistyped;
  const rest = text.slice(written.length);
  return written.endsWith(":") && PORT.test(rest) ? null : `http${ends.join("")}:${rest}`;
}

/**
 * A text with the scheme that address bars add. A text without a scheme is what the specification takes for one (see
 * `splitUrl`). One slash begins a path, not a host.
 */
function withScheme(text: string): string {
  if (/^\/(?![/\\])/.test(text)) return text;
  const scheme = writtenScheme(text);
  return scheme === "" || PORT.test(text.slice(scheme.length)) ? `http://${text}` : text;
}

/**
 * The index of the colon before the port; the end when there is no port. A colon in brackets belongs to an address. Chromium
 * looks for brackets as they stand: after one that is closed only by the mapping of the host, there is no port.
 */
function endOfHost(hostAndPort: string): number {
  const colon = hostAndPort.lastIndexOf(":");
  const bracket = hostAndPort.lastIndexOf("]");
  const isInBracket = bracket < 0 && hostAndPort.startsWith("[");
  return colon > bracket && !isInBracket ? colon : hostAndPort.length;
}

/** The host that a browser opens, in ASCII; `null` if none accepts it. Numbers are not read as addresses here. */
function readHost(written: string): string | BrowserHref | null {
  const name = unescapeText(written);
  if (name.includes("%")) return null;
  // Chromium escapes a blank before the mapping, and the blanks that the mapping makes after it.
  const mapped = mapHost(name.replaceAll(" ", "%20"));
  if (mapped.problem !== null) return mapped.problem === "undecided" ? UNDECIDED : null;
  // Chromium decodes the escapes that the mapping has made: U+FF05 is mapped to a percent sign.
  const host = asciiLowerCase(unescapeText(mapped.ascii));
  // Chromium looks for brackets after the mapping, the others before it.
  const isInBrackets = host.startsWith("[") && host.endsWith("]");
  const isAllowed = isInBrackets
    ? IPV6_ADDRESS.test(host)
    : !FORBIDDEN_IN_DOMAIN.test(host.replaceAll(" ", ""));
  return isAllowed && isAscii(host) && host !== "" ? host : null;
}

const IPV6_ADDRESS = /^\[[0-9a-f:.]+\]$/;
