import { tryParseUrl } from "@x/canon";
import { browserHref, hasInvalidIdn } from "@x/canon/browser";
import { escapeBytes, unescapeRepeatedly } from "@x/canon/bytes";
import { type ClientTexts, noTexts, textsOf, unescapeOnce } from "./texts.ts";

/** Only URLs with a scheme are covered: Firefox was measured with URLs, not with text in its address bar. */
const SCHEME = /^[\0- ]*[a-z][a-z0-9+.-]*:/i;
/** Firefox refuses these characters in a host. Other browsers accept or escape them. */
const REFUSED_IN_HOST = /["*%]/;
const PARTS = /^[a-z]+:\/\/([^/?#]*?)(?::[0-9]+)?(\/[^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;

/**
 * Reads a URL as Firefox does, over v4 and v5. Firefox differs from the specification in three ways:
 *
 * - an IPv6 address has no brackets, and one that contains an IPv4 address stays an IPv6 address;
 * - the query is unescaped once, not until nothing changes;
 * - dot segments are resolved before the path is unescaped, so `/a%2F..%2Fb` becomes `/a/../b`.
 *
 * Even over v5, Firefox does not use the Public Suffix List: the host suffixes are formed from the last five labels.
 *
 * Two kinds of hosts that Firefox refuses are not covered: the host `0x`, which other browsers read as 0.0.0.0, and an
 * address in brackets that Chromium finds only after mapping the host.
 *
 * These rules were measured on Firefox ESR 153.7, with `nsIUrlClassifierUtils.getKeyForURI` for the URL and page loads
 * for the expressions.
 */
export function readAsFirefox(url: string): ClientTexts {
  const href = SCHEME.test(url.replace(/[\t\r\n]/g, "")) ? browserHref(url) : null;
  const [, authority, path, query] = (href !== null && PARTS.exec(href)) || [];
  if (authority === undefined || REFUSED_IN_HOST.test(authority)) return noTexts("not-loadable");
  const host = hostOf(authority);
  if (host === null) return noTexts("not-loadable");
  // A question mark that was escaped in the path also begins the query.
  const [unescapedPath, ...rest] = unescapeRepeatedly(path!).replace(/\/+/g, "/").split("?");
  const queries = query === undefined ? rest : [...rest, unescapeOnce(query)];
  return textsOf({
    ...host,
    path: escapeBytes(unescapedPath!),
    query: queries.length === 0 ? null : escapeBytes(queries.join("?")),
  });
}

function hostOf(authority: string) {
  if (authority.startsWith("[")) {
    return { host: authority.slice(1, -1), hostType: "ipv6" } as const;
  }
  const parsed = tryParseUrl(`http://${authority}/`);
  if (parsed !== null && hasInvalidIdn(parsed.host)) return null;
  return parsed && { host: parsed.host, hostType: parsed.hostType };
}

/**
 * Matches escaped spaces and control characters at the end of a URL. The limit keeps the search linear. Real URLs do
 * not end in more than 100 of these escapes.
 */
const SPACE_END = /(?:%[01][0-9A-F]|%20){1,100}$/;
const IPV6 = /^[a-z]+:\/\/(\[[^\]]*\])/;

/**
 * Reads a URL as Chromium does, over v4 and v5. Chromium applies the specification to the URL that it opens, with two
 * differences:
 *
 * - an IPv6 address that contains an IPv4 address stays an IPv6 address;
 * - spaces and control characters at the end are dropped, even if they were escaped.
 *
 * These rules were measured on Chromium 156, with page loads.
 */
export function readAsChromium(url: string): ClientTexts {
  const href = browserHref(url);
  const parsed = href === null ? null : tryParseUrl(href);
  if (href === null || parsed === null) return noTexts("not-loadable");
  const { path, query } = parsed;
  const ipv6 = IPV6.exec(href)?.[1];
  return textsOf({
    host: ipv6 ?? parsed.host,
    hostType: ipv6 === undefined ? parsed.hostType : "ipv6",
    path: query === null ? path.replace(SPACE_END, "") : path,
    query: query?.replace(SPACE_END, "") ?? null,
  });
}
