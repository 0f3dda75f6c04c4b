import { isAscii, SPACE } from "./ascii.ts";
import { checkUrl } from "./byte-string.ts";
import type { CanonicalUrl } from "./canonicalize.ts";
import { MAX_URL_LENGTH } from "./error.ts";
import { tryParseUrl } from "./parse.ts";
import { hasLongLabel, LONGEST_LABEL } from "./steps/idn.ts";
import { unescapeOnce } from "./steps/percent-escapes.ts";

/**
 * The canonical form of the URL that a browser opens for a text: the specification's rules, applied to what the
 * platform's `URL` makes of the text, without user name and password.
 *
 * Browsers read some texts differently from the specification: they treat a backslash as a slash, need no
 * slashes after the scheme, and split a URL before they unescape it. A filter for raw text has to check this
 * reading as well as that of `tryParseUrl`.
 *
 * Returns `null` when the platform cannot parse the text, or its scheme is not `http`, `https`, `ftp`, `ws` or
 * `wss`; when `url` or its reading is longer than `MAX_URL_LENGTH`; and when a label that IDNA converts has more than
 * 512 characters, because no browser can open such a URL. Bytes are decoded as UTF-8, with U+FFFD for invalid
 * bytes.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { tryParseUrl } from "@x/canon";
 * import { tryParseUrlAsBrowser } from "@x/canon/browser";
 *
 * const url = "http://evil.example\\@good.example/";
 * tryParseUrl(url)?.host; // → "good.example"
 * tryParseUrlAsBrowser(url)?.host; // → "evil.example"
 * tryParseUrlAsBrowser("evil.example"); // → null
 * ```
 * @see WHATWG URL Standard, section "URL parsing"
 */
export function tryParseUrlAsBrowser(url: string | Uint8Array): CanonicalUrl | null {
  const href = browserHref(url);
  return href === null ? null : tryParseUrl(href);
}

/**
 * The URL that a browser opens for a text, as the platform's `URL` writes it, without user name and password;
 * `null` as for {@link tryParseUrlAsBrowser}, which canonicalizes this text. Show it to users to explain why the
 * two readings differ.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { browserHref } from "@x/canon/browser";
 *
 * browserHref("https:/good.example%2F@EVIL.example\\a"); // → "https://evil.example/a"
 * ```
 */
export function browserHref(url: string | Uint8Array): string | null {
  checkUrl(url);
  if (url.length > MAX_URL_LENGTH) return null;
  const text = withoutUserinfo(typeof url === "string" ? url : utf8.decode(url));
  return text === null ? null : platformHref(text);
}

function platformHref(text: string): string | null {
  // Not `URL.canParse`: few inputs that come here fail, older browsers do not have it, and in Node 20 it is
  // wrong for Latin-1 text once it is optimized.
  try {
    return new URL(text).href;
  } catch {
    return null;
  }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The schemes that browsers parse by special rules, and any slashes after them. */
const SPECIAL_SCHEME = /^(?:https?|ftp|wss?):[/\\]*/i;

/**
 * A text without the user name and password that the platform would find in it. `null` when its scheme is not
 * special, its host is missing, or a label of the host is too long for the platform.
 */
function withoutUserinfo(url: string): string | null {
  const text = trimControls(url.replace(/[\t\n\r]+/g, ""));
  const start = SPECIAL_SCHEME.exec(text)?.[0].length ?? 0;
  if (start === 0) return null;
  const length = text.slice(start).search(/[/\\?#]/);
  const end = length < 0 ? text.length : start + length;
  const authority = text.slice(start, end);
  const at = authority.lastIndexOf("@");
  const hostAndPort = authority.slice(at + 1);
  // With a user but no host, removing the user would turn the next segment into the host.
  if (hostAndPort === "" || isTooLong(hostAndPort)) return null;
  return at < 0 ? text : text.slice(0, start) + hostAndPort + text.slice(end);
}

/** Removes controls and spaces at both ends. */
function trimControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= SPACE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  return text.slice(start, end);
}

/**
 * Whether a host has a label for which the platform would take quadratic time: a long one that IDNA converts.
 * IDNA is applied to the host after its escapes are decoded, and not to addresses in brackets.
 */
function isTooLong(hostAndPort: string): boolean {
  if (hostAndPort.startsWith("[") || hostAndPort.length <= LONGEST_LABEL) return false;
  // A bracket in any other position would hide the port from the platform. No valid host has one.
  if (hostAndPort.includes("[")) return true;
  const colon = hostAndPort.indexOf(":");
  const name = unescapeOnce(colon < 0 ? hostAndPort : hostAndPort.slice(0, colon));
  if (isAscii(name) && !/xn--/i.test(name)) return false;
  // An address may be padded with any number of zeros.
  return hasLongLabel(name.replace(LEADING_ZEROS, ""));
}

const LEADING_ZEROS = /(?<![^.\u3002\uff0e\uff61])(?:[0\uff10][xX\uff38\uff58])?[0\uff10]+/g;
