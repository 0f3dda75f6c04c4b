/*
 * Texts that canonicalization and browsers read as a URL, although they are something else: a row of a table, several
 * URLs, a URL with other text around it, a hash. Their readings name a host that nobody meant, so a list would never
 * have it.
 */

const SCHEME = /^[\0- ]*[a-z][a-z0-9+.-]*:/i;

const TAB_INSIDE = /\S *\t\s*\S/;

const URL_AFTER_BLANK = /^[^#]*[^\s#]\s+[a-z][a-z0-9+.-]*:\/\//i;
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

/** Matches words with blanks between them, without a scheme. A blank in the path may be part of a URL. */
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
 * Whether another URL follows a URL with a scheme, after a blank, comma, semicolon or bar, or the scheme has the form
 * of a host: `evil.example://good.example/`. A URL after a slash belongs to the same URL, as in
 * `https://archive.example/http://evil.example/`. So do commas, semicolons and bars in a query.
 */
export function holdsSeveralUrls(text: string): boolean {
  const first = text.indexOf("://");
  if (first < 0) return false;
  if (HOST_AS_SCHEME.test(text)) return true;
  if (text.indexOf("://", first + 1) < 0) return false;
  const [path] = /^[^?#]*/.exec(text)!;
  return URL_AFTER_SEPARATOR.test(path.slice(first)) || URL_AFTER_BLANK.test(text);
}

/** Whether a URL follows other text, directly or after a blank. */
function hasTextBeforeUrl(text: string): boolean {
  return URL_AFTER_TEXT.test(text) || URL_AFTER_BLANK.test(text);
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
  if (SCHEME.test(text)) return URL_AFTER_BLANK.test(text) || URL_AS_PORT.test(text);
  return (
    hasTextBeforeUrl(text) ||
    hasMarkBeforeHost(text) ||
    WORDS.test(text) ||
    WILDCARD.test(text) ||
    isHexHash(text) ||
    isBase64Hash(text)
  );
}
