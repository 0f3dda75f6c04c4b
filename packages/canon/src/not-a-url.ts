import { isAscii } from "./ascii.ts";
import { decodeLabel, PUNYCODE } from "./steps/punycode.ts";

/*
 * Texts that canonicalization and browsers read as a URL, although they are something else: a row of a table, several
 * URLs, a URL with other text around it, a hash. Their readings name a host that nobody meant, so a list would never
 * have it.
 */

const SCHEME = /^[\0- ]*[a-z][a-z0-9+.-]*:/i;

const TAB_INSIDE = /\S *\t\s*\S/;

const URL_AFTER_SPACE = /^[^#]*[^\s#]\s+[a-z][a-z0-9+.-]*:\/\//i;
const URL_AFTER_SEPARATOR = /[,;|][A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Matches a host with a URL after it. The specification reads the host as a scheme, but a person reads it as a site,
 * and browsers open neither of the two.
 */
const HOST_AS_SCHEME = /^\s*(?:[A-Za-z][A-Za-z0-9-]*\.)+[A-Za-z][A-Za-z0-9-]*:\/\//;

/**
 * Matches a URL after other text that is neither a scheme nor escaped, such as a mark of emphasis, a no-break space or
 * the byte order mark of a file that was appended to another one.
 */
const URL_AFTER_TEXT = /^(?![\0- ]*[a-z][a-z0-9+.-]*:)[^/?#%\\]*[^\0- /?#%\\]:\/\//i;

/** Matches a URL in the place of a port: `http://text-http://evil.example/`, but not an empty port before a path. */
const URL_AS_PORT = /^[\0- ]*[a-z][a-z0-9+.-]*:[/\\]+[^/\\?#]*(?:https?|ftp|wss?):[/\\]{2}/i;

/** Matches a host without a scheme, after a mark: punctuation, a currency sign, an arrow or a geometric shape. */
const MARKED_HOST =
  /^\s*(?![_[%./\\:?#\u3002\uff0e\uff61])[\p{P}\p{Sm}\p{Sc}\u2190-\u21ff\u25a0-\u25ff\u2794-\u27be\u2900-\u297f][^\s:/?#.]+\.[^\s/?#]*(?:[/?#]|\s*$)/u;

/** Matches words with spaces between them, without a scheme. A space in the path may be part of a URL. */
const WORDS = /^\s*[^\s/?#]+\s+[^\s#]/;

/** Matches a host without a scheme that has a wildcard, except in front, as in `*.evil.example`. */
const WILDCARD = /^(?:[^/?#@]*[^/?#@\s]\*|\s*\*[^.])/;

const HEX_HASH = /^(?=[0-9]*[A-Fa-f])(?:[0-9A-Fa-f]{2}){4,32}$/;
const BASE64_HASH =
  /^[0-9A-Za-z+/_-]{43}=?$|^(?:[0-9A-Za-z+/_-]{4}){1,21}[0-9A-Za-z+/_-]{2,3}={1,2}$/;

/** Whether a text has a tab between other characters, as the rows of tables do. */
export function hasTabInside(text: string): boolean {
  return TAB_INSIDE.test(text);
}

/** Whether a text has a NUL character, as UTF-16 does. */
function hasNul(text: string): boolean {
  return text.includes("\0");
}

/**
 * Whether another URL follows a URL with a scheme, after a space, comma, semicolon or bar, or the scheme has the form
 * of a host: `evil.example://good.example/`. A URL after a slash belongs to the same URL, as in
 * `https://archive.example/http://evil.example/`. So do commas, semicolons and bars in a query.
 */
export function holdsSeveralUrls(text: string): boolean {
  const first = text.indexOf("://");
  if (first < 0) return false;
  if (HOST_AS_SCHEME.test(text)) return true;
  if (text.indexOf("://", first + 1) < 0) return false;
  const [path] = /^[^?#]*/.exec(text)!;
  return URL_AFTER_SEPARATOR.test(path.slice(first)) || URL_AFTER_SPACE.test(text);
}

/** Whether a URL follows other text, directly or after a space. */
function hasTextBeforeUrl(text: string): boolean {
  return URL_AFTER_TEXT.test(text) || URL_AFTER_SPACE.test(text);
}

/** Whether a host without a scheme follows a mark. */
function hasMarkBeforeHost(text: string): boolean {
  return MARKED_HOST.test(text);
}

/** Whether a text has the form of a hash or a hash prefix in hexadecimal. */
export function isHexHash(text: string): boolean {
  return HEX_HASH.test(text);
}

/** Whether a text has the form of a hash in base64, or of a hash prefix with padding. */
export function isBase64Hash(text: string): boolean {
  return BASE64_HASH.test(text);
}

const WEB_SCHEME = /^(?:https?|ftp|wss?):\/\//i;

/** Whether a text is like nearly all URLs with a scheme, as a shortcut: without tabs, NULs and a second `://`. */
function isPlain(text: string): boolean {
  if (!WEB_SCHEME.test(text) || text.includes("\t") || text.includes("\0")) return false;
  return !text.includes(":/", 6) && !text.includes(":\\", 6);
}

/** Whether a text that can be read as a URL is probably something else. */
export function isOtherText(text: string): boolean {
  if (isPlain(text)) return false;
  if (hasTabInside(text) || hasNul(text) || holdsSeveralUrls(text)) return true;
  if (SCHEME.test(text)) return URL_AFTER_SPACE.test(text) || URL_AS_PORT.test(text);
  return (
    hasTextBeforeUrl(text) ||
    hasMarkBeforeHost(text) ||
    WORDS.test(text) ||
    WILDCARD.test(text) ||
    isHexHash(text) ||
    isBase64Hash(text)
  );
}

const ANY = "[a-z0-9*_#~?!$%@+-]";
/**
 * Matches a defanged or misspelt `http` or `https`, but no scheme that is in use, such as `http`, `https`, Secure HTTP
 * (RFC 2660), HTTP over UDP or HFTP.
 */
const DEFANGED_HTTP = /* @__PURE__ */ new RegExp(
  `^(?!(?:https?|shttp|httpu|hs?ftp)$)(?:${ANY}?h[tx*_#~?!$%@+z7-]{1,3}p{1,2}|h(?:${ANY}tp|t${ANY}p|tt${ANY}?|t?${ANY}ttp|tt${ANY}p|p{1,2}t{1,2}|tpt)|thtp|tthp|${ANY}?ttp{1,2}|t?p|xx{1,3}p|meow)s{0,2}${ANY}?$`,
  "i",
);
const DEFANGED_FTP = /^(?!ftp$)f[tx*_#~?!$%@+-]{1,2}p{1,2}x?$/i;

/** The scheme that a defanged or misspelt one stands for, as `https` for `hxxps`, or `null` if it is neither. */
export function httpOrFtp(scheme: string): "http" | "https" | "ftp" | null {
  if (DEFANGED_HTTP.test(scheme)) return /s/i.test(scheme) ? "https" : "http";
  return DEFANGED_FTP.test(scheme) ? "ftp" : null;
}

/** Whether the scheme of a URL is a defanged or misspelt one, as in `hxxp://evil.example/`. */
export function hasDefangedScheme(url: string): boolean {
  const scheme = /^[\0- ]*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  return scheme !== undefined && httpOrFtp(scheme) !== null;
}

/** The maximum length of a name in bytes, without the length bytes (RFC 1035 §2.3.4). */
const MAX_NAME_LENGTH = 253;

/**
 * Matches a name of labels of at most 63 characters. Labels below the top-level domain may have a few unusual
 * characters: browsers accept them, and a DNS server with a wildcard record answers for such names. A top-level domain
 * never has these characters (RFC 1123 §2.1). Names such as `http__evil.example` are excluded: their underscores
 * replace the colon and the slashes of a scheme.
 */
const NAME =
  /^(?!h(?:tt|xx)ps?__)(?:[a-z0-9_-]{1,63}|(?:[a-z0-9_!$&*+~-]{1,63}\.)+([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))$/;

/**
 * Matches a host that ends in the name of a scheme. No top-level domain has that name. In
 * `http://www.http//evil.example` and `http/evil.example`, a second scheme or a scheme without its colon is read as the
 * host.
 */
const ENDS_IN_SCHEME = /(?:^|\.)h(?:tt|xx)ps?$/;

/**
 * Matches a number, which no top-level domain is. Browsers refuse a host that ends in a number, unless the host is an
 * address.
 */
const NUMBER = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/** Punctuation and symbols, without those that RFC 5892 (appendix A) allows in names. */
const NOT_IN_NAME = /(?![-\xb7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u30fb])[\p{P}\p{S}]/u;

/**
 * Whether a canonical host that is not an address can be a name in DNS. Canonicalization accepts nearly any text as a
 * host, and browsers accept many such texts: the host of `http://evil.example"/` is `evil.example"`.
 */
export function isPossibleName(host: string): boolean {
  if (host.length > MAX_NAME_LENGTH || ENDS_IN_SCHEME.test(host)) return false;
  const name = NAME.exec(host);
  return name !== null && isPossibleTopLevel(name[1] ?? host);
}

/** Whether a label, in ASCII, can be a top-level domain. */
export function isPossibleTopLevel(label: string): boolean {
  if (NUMBER.test(label)) return false;
  if (!label.startsWith(PUNYCODE)) return true;
  const decoded = decodeLabel(label);
  return decoded !== null && !isAscii(decoded) && !NOT_IN_NAME.test(decoded);
}

const AUTHORITY = /^\s*(?:[a-z][a-z0-9+.-]*:(?=[/\\]))?[/\\]*([^/\\?#]*)/i;

/** Whether a text has several colons where its host and port should be, such as an IPv6 address without brackets. */
export function hasSeveralColons(text: string): boolean {
  const [, authority = ""] = AUTHORITY.exec(text)!;
  const hostAndPort = authority.slice(authority.lastIndexOf("@") + 1);
  return !hostAndPort.includes("[") && hostAndPort.indexOf(":") !== hostAndPort.lastIndexOf(":");
}
