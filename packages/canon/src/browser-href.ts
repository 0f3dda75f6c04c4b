import { asciiLowerCase, isAscii, SPACE } from "./ascii.ts";
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
  const text = withScheme(trimControls(given.replace(/[\t\n\r]+/g, "")));
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
    if (/[\0- <>^|\x7f]/.test(hostAndPort)) return NONE;
    const isWhole = hostAndPort.length === authority.length;
    return openedBy(isWhole ? text : text.slice(0, start) + hostAndPort + text.slice(end));
  }

  const hostEnd = endOfHost(hostAndPort);
  const mapped = readHost(hostAndPort.slice(0, hostEnd));
  if (mapped === null) return NONE;
  if (typeof mapped !== "string") return mapped;
  const before = text.slice(0, start);
  const after = hostAndPort.slice(hostEnd) + text.slice(end);
  return openedBy(before + hideIdnLabels(mapped) + after, mapped);
}

/** Whether the platform reads a host as all browsers do: ASCII without escapes, and without the labels of IDNA. */
function isPlain(hostAndPort: string): boolean {
  return isAscii(hostAndPort) && !/%|xn--/i.test(hostAndPort);
}

/** What the platform reads in a text. If a host is given, it replaces a name in the result. */
function openedBy(text: string, host: string | null = null): BrowserHref {
  // Not `URL.canParse`: few inputs that come here fail, older browsers do not have it, and in Node 20 it is
  // wrong for Latin-1 text once it is optimized.
  try {
    const { href, hostname } = new URL(text);
    if (host === null || !host.includes(IDN_PREFIX)) return { href, isUndecided: false };
    const start = href.indexOf("//") + 2;
    const after = href.slice(start + hostname.length);
    return { href: href.slice(0, start) + host + after, isUndecided: false };
  } catch {
    return NONE;
  }
}

/** The beginning of a label of IDNA, and one as long that means nothing to the platform. */
const IDN_PREFIX = "xn--";
const PLAIN_PREFIX = "xnxx";

/** A host whose labels of IDNA the platform does not check. Chromium does not check them in a host that is ASCII. */
function hideIdnLabels(host: string): string {
  return host.replaceAll(IDN_PREFIX, PLAIN_PREFIX);
}

/** Removes controls and spaces at both ends. */
function trimControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= SPACE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  return text.slice(start, end);
}

/** A port, as address bars find it. */
const PORT = /^[0-9]+(?:[/\\?#]|$)/;

/**
 * A text with the scheme that address bars add. A text without a scheme is what the specification takes for one (see
 * `splitUrl`). One slash begins a path, not a host.
 */
function withScheme(text: string): string {
  if (SPECIAL_SCHEME.test(text) || /^\/(?![/\\])/.test(text)) return text;
  const scheme = writtenScheme(text);
  return scheme === "" || PORT.test(text.slice(scheme.length)) ? `http://${text}` : text;
}

/** The index of the colon before the port; the end when there is no port. A colon in brackets belongs to an address. */
function endOfHost(hostAndPort: string): number {
  const colon = hostAndPort.lastIndexOf(":");
  return colon > hostAndPort.lastIndexOf("]") ? colon : hostAndPort.length;
}

/** The host that a browser opens, in ASCII; `null` if none accepts it. Numbers are not read as addresses here. */
function readHost(written: string): string | BrowserHref | null {
  const name = unescapeText(written);
  if (name.includes("%")) return null;
  const mapped = mapHost(name);
  if (mapped.problem !== null) return mapped.problem === "undecided" ? UNDECIDED : null;
  // Chromium decodes the escapes that the mapping has made: U+FF05 is mapped to a percent sign.
  const host = asciiLowerCase(unescapeText(mapped.ascii));
  // Chromium looks for brackets after the mapping, the others before it.
  const isInBrackets = host.startsWith("[") && host.endsWith("]");
  const isAllowed = isInBrackets ? IPV6_ADDRESS.test(host) : !FORBIDDEN_IN_DOMAIN.test(host);
  return isAllowed && isAscii(host) && host !== "" ? host : null;
}

const IPV6_ADDRESS = /^\[[0-9a-f:.]+\]$/;
