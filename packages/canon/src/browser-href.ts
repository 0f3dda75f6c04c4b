import { asciiLowerCase, DELETE, DOT, hexValue, isAscii, SPACE } from "./ascii.ts";
import { checkUrl, encodeUtf8, MAX_URL_LENGTH, textOf } from "./byte-string.ts";
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from "./steps/host.ts";
import {
  type EscapedBytes,
  escapeBytes,
  escapedBytes,
  unescapeText,
} from "./steps/percent-escapes.ts";
import { resolveDotSegments, trimSpaces, writtenScheme } from "./steps/url-parts.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./steps/uts46.ts";

/** The URL that a browser opens for a text, without user name and password, and whether its host could be decided. */
interface OpenedHref {
  readonly href: string | null;
  /** Whether the host cannot be decided, because UTS #46 has no answer, or because the host may not be in UTF-8. */
  readonly isUndecided: boolean;
}

/** The URL that a browser opens for an input. */
interface BrowserHref extends OpenedHref {
  /** The URL that Firefox opens for a link on a page, if other browsers open another URL, and otherwise `null`. */
  readonly firefoxLink: string | null;
}

const NONE: OpenedHref = Object.freeze({ href: null, isUndecided: false });
const UNDECIDED: OpenedHref = Object.freeze({ href: null, isUndecided: true });

/** Matches a scheme for which browsers have special parsing rules, and any slashes after it. */
const SPECIAL_SCHEME = /^(https?|ftp|wss?):[/\\]*/i;

/**
 * The URL that a browser opens for an input, read in the same way on every platform. If only some browsers open the
 * input, their reading counts.
 */
export function findBrowserHref(url: string | Uint8Array): BrowserHref {
  checkUrl(url);
  if (url.length > MAX_URL_LENGTH) return { ...NONE, firefoxLink: null };
  const joined = withoutBreaks(textOf(url));
  const text = trimEnds(joined);
  const found = findTrimmedHref(text, joined);
  const link = asFirefoxLink(text);
  const inFirefox = link === null ? found : findHref(link);
  const isNamed = found.href !== null && !ONLY_DOTS.test(found.href);
  const href = isNamed ? found.href : (inFirefox.href ?? found.href);
  return {
    href,
    firefoxLink: inFirefox.href === href ? null : inFirefox.href,
    isUndecided:
      found.isUndecided || inFirefox.isUndecided || (text !== joined && beginsWithEscape(joined)),
  };
}

/**
 * Removes tabs and line breaks, but never joins two halves of a surrogate pair: browsers replace halves by U+FFFD before
 * they remove anything (URL Standard, section "URL class").
 */
function withoutBreaks(text: string): string {
  return text
    .replace(/[\ud800-\udbff][\t\n\r]+(?=[\udc00-\udfff])/g, "\ufffd")
    .replace(/[\t\n\r]+/g, "");
}

/**
 * Matches a URL whose host is only dots. Browsers open such a URL, but the host does not exist, and the URL has no
 * canonical form.
 */
const ONLY_DOTS = /^[a-z]+:\/\/\.+[:/]/;

/** Like {@link findBrowserHref}, for a text after {@link trimEnds}. `given` is the text before it. */
function findTrimmedHref(text: string, given: string): OpenedHref {
  if (SPECIAL_SCHEME.test(text)) return findHref(text);
  const corrected = withCorrectedScheme(text);
  const opened = corrected === null ? NONE : findHref(corrected);
  return opened === NONE ? findHref(withScheme(text, given)) : opened;
}

/** Like {@link findBrowserHref}, for a text with a scheme. */
function findHref(text: string): OpenedHref {
  const start = SPECIAL_SCHEME.exec(text)?.[0].length ?? 0;
  if (start === 0) return NONE;
  const length = text.slice(start).search(/[/\\?#]/);
  const end = length < 0 ? text.length : start + length;
  const authority = text.slice(start, end);
  const found = findHrefOf(text, start, authority);
  return OTHER_ENCODING.test(authority) ? { href: found.href, isUndecided: true } : found;
}

/**
 * Matches signs that a text may not be in UTF-8: U+FFFD, which stands for bytes that are not UTF-8, and the escape
 * character of ISO-2022-JP. Browsers decode a URL in the encoding of its page, which is not known here.
 */
const OTHER_ENCODING = /[\x1b\ufffd]/;

/** Like {@link findHref}, for a text whose authority begins at `start`. */
function findHrefOf(text: string, start: number, authority: string): OpenedHref {
  const hostAndPort = withoutEndOfPort(authority.slice(authority.lastIndexOf("@") + 1));
  // If there is a user but no host, removing the user would turn the next segment into the host.
  if (hostAndPort === "" || hostAndPort.startsWith(":")) return NONE;
  const hostEnd = endOfHost(hostAndPort);
  const mapped = readHost(hostAndPort.slice(0, hostEnd));
  if (mapped === null) return NONE;
  if (typeof mapped !== "string") return mapped;
  const scheme = asciiLowerCase(text.slice(0, text.indexOf(":")));
  const host = formatHost(mapped);
  const port = formatPort(hostAndPort.slice(hostEnd), scheme);
  if (host === null || port === null) return NONE;
  const rest = formatRest(text.slice(start + authority.length));
  return { href: `${scheme}://${host}${port}${rest}`, isUndecided: false };
}

/** Removes a NUL in a port and everything after it, because Firefox ignores both. */
function withoutEndOfPort(hostAndPort: string): string {
  if (!hostAndPort.includes("\0")) return hostAndPort;
  return /^(?:\[[^\]]*\]|[^:]*):[0-9]*(?=\0)/.exec(hostAndPort)?.[0] ?? hostAndPort;
}

/**
 * The index of the colon before the port, or the length of the text when there is no port. A colon in brackets belongs
 * to an address. Chromium looks for brackets before the host is mapped, so if the closing bracket appears only in the
 * mapped host, no port follows it.
 */
function endOfHost(hostAndPort: string): number {
  const colon = hostAndPort.lastIndexOf(":");
  const bracket = hostAndPort.lastIndexOf("]");
  const isInBracket = bracket < 0 && hostAndPort.startsWith("[");
  return colon > bracket && !isInBracket ? colon : hostAndPort.length;
}

const PLAIN_NAME = /^[\w.-]+$/;

/**
 * The host that a browser opens, in ASCII, or `null` if no browser accepts it. Numbers are not read as addresses here.
 */
function readHost(written: string): string | OpenedHref | null {
  // A fast path for nearly all hosts.
  if (PLAIN_NAME.test(written)) return asciiLowerCase(written);
  const name = unescapeText(written);
  if (name.includes("%")) return null;
  // Chromium escapes these characters before the mapping. If the mapping produces such characters, they are escaped
  // afterwards.
  if (!/[ *<>]/.test(name)) return mapName(name);
  const escaped = name.replace(/[ *<>]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const host = mapName(escaped);
  // The last digit of an escape may have combined with a mark, so that there is no escape left to decode.
  return host ?? mapName(name);
}

function mapName(name: string): string | OpenedHref | null {
  const mapped = mapHost(name);
  if (mapped.problem !== null) return mapped.problem === "undecided" ? UNDECIDED : null;
  // Chromium decodes escapes that result from the mapping, for example of U+FF05 to a percent sign.
  const host = withDecimalTail(asciiLowerCase(unescapeText(mapped.ascii)));
  // Chromium looks for brackets after the mapping, other browsers before it.
  const isInBrackets = host.startsWith("[") && host.endsWith("]");
  const isAllowed = isInBrackets
    ? IPV6_ADDRESS.test(host)
    : !FORBIDDEN_IN_DOMAIN.test(host.replaceAll(" ", ""));
  return isAllowed && isAscii(host) && host !== "" ? host : null;
}

/**
 * Makes the IPv4 address at the end of an IPv6 address decimal. Chromium reads its four numbers as in any IPv4 address,
 * so they may also be octal or hexadecimal.
 */
function withDecimalTail(host: string): string {
  const tail = host[0] === "[" ? IPV6_WITH_IPV4.exec(host)?.[1] : undefined;
  if (tail === undefined) return host;
  const address = readIpv4(tail);
  if (address === null) return host;
  const end = host.indexOf("]");
  return host.slice(0, end - tail.length) + formatIpv4(address) + host.slice(end);
}

const IPV6_WITH_IPV4 = /^\[[0-9a-f:]*:((?:[0-9a-fx]+\.){3}[0-9a-fx]+)\]/i;

const IPV6_ADDRESS = /^\[[0-9a-f:.]+\]$/;

// The corrections that address bars make to text before they read it as a URL.

/** Matches the start of a text that can be a link on a page, up to the end of its host, if more follows. */
const LINK_WITH_PATH = /^(?:(?:https?|ftp|wss?):|[/\\]{2})[/\\]*[^/\\?#]+[/\\?#]/i;

/**
 * Removes control characters and white space at both ends, as address bars do. At the end of a path, query or fragment
 * of a link, other characters than control characters and spaces stay, as on pages.
 */
function trimEnds(given: string): string {
  const text = trimmed(given);
  const isLink = text !== given && LINK_WITH_PATH.test(text);
  return isLink ? trimmed(given, isControl) : text;
}

/** Removes control characters and white space at both ends. `isAtEnd` says which characters are removed at the end. */
function trimmed(text: string, isAtEnd: typeof isSpaceOrControl = isSpaceOrControl): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpaceOrControl(text, start)) start++;
  while (end > start && isAtEnd(text, end - 1)) end--;
  return text.slice(start, end);
}

/** Whether ESC is among the control characters and white space at the start of a text. */
function beginsWithEscape(text: string): boolean {
  for (let i = 0; i < text.length && isSpaceOrControl(text, i); i++)
    if (text[i] === "\x1b") return true;
  return false;
}

function isSpaceOrControl(text: string, index: number): boolean {
  return (
    isControl(text, index) || (text.charCodeAt(index) > DELETE && /[\s\x85]/.test(text[index]!))
  );
}

function isControl(text: string, index: number): boolean {
  return text.charCodeAt(index) <= SPACE;
}

/** Matches text whose beginning address bars read as a port. */
const PORT = /^[0-9]+(?:[/\\?#]|$)/;

/**
 * Matches a scheme that address bars correct, because its colon is missing or is a semicolon, or because it lacks
 * letters. Only Firefox adds letters.
 */
const MISTYPED_SCHEME =
  /^(?:http(s?)(?:;|(?=\/\/))|(?:ttp|htp)(s?)(?::|;?(?=\/\/))|(?:tp|p)(s)(?::|;?(?=\/\/)))/i;

/** Corrects a mistyped scheme as address bars do, or returns `null` if there is nothing to correct. */
function withCorrectedScheme(text: string): string | null {
  const mistyped = MISTYPED_SCHEME.exec(text);
  if (mistyped === null) return null;
  const [written, ...ends] = mistyped;
  const rest = text.slice(written.length);
  return written.endsWith(":") && PORT.test(rest) ? null : `http${ends.join("")}:${rest}`;
}

/**
 * Adds a scheme as address bars do. The specification decides whether a text already has one (see `splitUrl`). If a
 * control character precedes `user:password@host`, `user:` is not a scheme. Without the control character, `user:`
 * would be a scheme, and the text would be refused. A single slash begins a path, not a host.
 */
function withScheme(text: string, given: string): string {
  if (/^\/(?![/\\])/.test(text)) return text;
  const scheme = writtenScheme(text);
  const hasScheme =
    scheme !== "" &&
    !PORT.test(text.slice(scheme.length)) &&
    !(/^[^/\\?#]*@/.test(text) && writtenScheme(trimSpaces(given)) === "");
  return hasScheme ? text : `http://${withoutApostrophe(text)}`;
}

/** Removes apostrophes at the end of the host, as the address bar of Firefox does. */
function withoutApostrophe(text: string): string {
  if (!text.includes("'")) return text;
  const [authority] = /^[/\\]*[^/\\?#]*/.exec(text)!;
  const port = /:[0-9]*$/.exec(authority)?.index ?? authority.length;
  let end = port;
  while (authority[end - 1] === "'") end--;
  const isHost = end > 0 && !/[/\\@]/.test(authority[end - 1]!);
  return isHost ? text.slice(0, end) + text.slice(port) : text;
}

/**
 * Matches the start of a link that Firefox resolves against its page: two slashes, perhaps after a scheme if one of
 * them is a backslash. Other browsers read such a link as they read any other URL.
 */
const START = /^(?:(https?):(?!\/\/))?[/\\]{2}/i;

/**
 * The text into which Firefox changes a link on a page before it reads the text as a URL, or `null` if Firefox does not
 * change the link.
 *
 * Firefox resolves dot segments in the part that it treats as the path: everything from the first slash up to a
 * question mark or number sign. After a scheme, this first slash may be a third slash before the host, so
 * `http:\\\a/../b` opens the host `b`. In `//a?b=/c/../d`, the first slash is in the query.
 *
 * Measured on Firefox ESR 153.7 (`nsStandardURL::Resolve`).
 */
function asFirefoxLink(text: string): string | null {
  const start = START.exec(text);
  if (start === null) return null;
  const [slashes, scheme] = start;
  const written = text.slice(slashes.length);
  const mark = written.search(/[?#]/);
  const end = mark < 0 ? written.length : mark;
  const link = written.slice(0, end).replaceAll("\\", "/") + written.slice(end);
  const rest = scheme === undefined ? link.replace(/^\/+/, "") : link;
  const slash = rest.indexOf("/");
  if (slash < 0) return null;
  const length = rest.slice(slash).search(/[?#]/);
  const pathEnd = length < 0 ? rest.length : slash + length;
  const path = rest.slice(slash, pathEnd);
  const resolved = resolveSegments(path);
  if (resolved === path) return null;
  return `${scheme ?? "http"}://${rest.slice(0, slash)}${resolved}${rest.slice(pathEnd)}`;
}

// The parts of a URL with a special scheme as the URL Standard reads and writes them. The platform's `URL` is not used,
// because on some platforms it is missing or follows other rules.

/** The default port of each special scheme except `file`, which has none. */
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ws", 80],
  ["wss", 443],
  ["ftp", 21],
]);

/**
 * A percent-encode set of the URL Standard: controls, bytes above ASCII, and `others` (section "Percent-encoded
 * bytes").
 */
function percentEncodeSet(others: string): EscapedBytes {
  return escapedBytes(
    (byte) => byte < 0x20 || byte > 0x7e || others.includes(String.fromCharCode(byte)),
  );
}

const X = 0x78;

const OF_PATH = percentEncodeSet(' "#<>?^`{}');
const OF_QUERY = percentEncodeSet(" \"#<>'");
const OF_FRAGMENT = percentEncodeSet(' "<>`');

/**
 * Returns the host as it appears in a URL, or `null` when it has the form of an address but is not one. `host` must be
 * in lower case and without forbidden characters.
 *
 * @see URL Standard, section "Host parsing"
 */
function formatHost(host: string): string | null {
  if (host.startsWith("[")) {
    const groups = host.endsWith("]") ? parseIpv6(host.slice(1, -1)) : null;
    return groups === null ? null : `[${formatIpv6(groups)}]`;
  }
  if (!endsInNumber(host)) return host.replaceAll(" ", "%20");
  const address = readIpv4(host.endsWith(".") ? host.slice(0, -1) : host);
  return address === null ? null : formatIpv4(address);
}

/** Like {@link parseIpv4}, but a part may also be `0x` without digits, which is zero. */
function readIpv4(host: string): number | null {
  return parseIpv4(host.replace(/(^|\.)0x(?=\.|$)/gi, "$10"));
}

/** Whether the last label is a number, so that the host has to be an address. */
function endsInNumber(host: string): boolean {
  // A fast path, because most top-level domains end in a letter that no address can end in.
  const last = host.charCodeAt(host.length - 1);
  if (hexValue(last) < 0 && last !== DOT && last !== X) return false;
  return /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/.test(host);
}

/**
 * Returns the port as it appears in a URL, with its colon. The result is empty for the default port, and `null` when
 * the text is not a port. `port` is the text between the host and the path.
 */
function formatPort(port: string, scheme: string): string | null {
  if (port === "") return "";
  const digits = /^:?0*([0-9]*)$/.exec(port)?.[1];
  if (digits === undefined || digits.length > 5 || Number(digits) > 0xffff) return null;
  const hasPort = /[0-9]$/.test(port) && Number(digits) !== DEFAULT_PORTS.get(scheme);
  return hasPort ? `:${Number(digits)}` : "";
}

/** Returns the path, query and fragment as they appear in a URL. `rest` is the text after the authority, as written. */
function formatRest(rest: string): string {
  const hash = rest.indexOf("#");
  const end = hash < 0 ? rest.length : hash;
  const mark = rest.slice(0, end).indexOf("?");
  const pathEnd = mark < 0 ? end : mark;
  const path = formatPath(rest.slice(0, pathEnd));
  const query = escapeBytes(encodeUtf8(rest.slice(pathEnd, end)), OF_QUERY);
  return path + query + escapeBytes(encodeUtf8(rest.slice(end)), OF_FRAGMENT);
}

function formatPath(written: string): string {
  if (written === "") return "/";
  return resolveSegments(escapeBytes(encodeUtf8(written.replaceAll("\\", "/")), OF_PATH));
}

/** Resolves dot segments, some of whose dots may be escaped. The path begins with a slash. */
function resolveSegments(path: string): string {
  if (!/%2e/i.test(path)) return resolveDotSegments(path);
  const unescaped = path
    .replace(/\/%2e(?=\/|$)/gi, "/.")
    .replace(/\/(?:\.|%2e){2}(?=\/|$)/gi, "/..");
  return resolveDotSegments(unescaped);
}
