import type { CanonicalUrl } from "@x/canon";
import { readUrl, type UrlReadings } from "@x/canon/readings";
import { exactExpression } from "@x/expressions";
import { shorten } from "./shorten.ts";

/*
 * The specification and browsers read some texts as different URLs. An entry for one of the two could block a site that
 * has nothing to do with the other: in `http://good.example%2F@evil.example/`, browsers see a user name before
 * evil.example, and the specification sees a path of good.example.
 */

/** The two readings of a text, which are the same object if they give the same entry. */
export type BothReadings = Pick<UrlReadings, "specification" | "browser" | "problem">;

/**
 * Matches most texts that have only one reading: a possible host name or an IPv4 address, perhaps with a port; a path
 * without escapes, empty segments and segments that begin with a dot; any query. All characters are ordinary ones of
 * URLs.
 */
const ONE_READING =
  /^(?:https?:\/\/)?(?![^/?]{254}|[Hh][TtXx]{2}[Pp][Ss]?__)(?:(?:[\w-]{1,63}\.)+(?![Xx][Nn]--|[Hh](?:[Tt]{2}|[Xx]{2})[Pp][Ss]?(?:[:/?]|$))[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?|(?:(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])\.){3}(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5]))(?::\d{1,4})?(?:(?:\/(?![./])[\w!$&'+,.:;=@~-]*)+(?:\?[\w!$%&'+,./:;=?@~-]*)?)?$/;

/** A quick check for most texts that have only one reading. */
export function hasOneReading(text: string): boolean {
  return ONE_READING.test(text);
}

/**
 * Schemes that browsers read like `http`. Browsers do not open URLs with other schemes, but an entry also covers the
 * URL with `http`.
 */
export const LIKE_HTTP: ReadonlySet<string> = new Set(["http", "https", "ftp", "ws", "wss"]);

/**
 * Both readings of a text that may have two. A URL with a scheme that browsers do not open is read as if the scheme
 * were `http`.
 */
export function readBothWays(text: string): BothReadings {
  const { specification, firefox, problem, ...both } = readUrl(text);
  // It is enough if one browser opens another URL.
  const browser = firefox ?? both.browser;
  const readings = { specification, browser, problem };
  if (specification === null || browser !== null || LIKE_HTTP.has(specification.scheme)) {
    return readings;
  }
  const colon = text.indexOf("://");
  if (colon < 0) return readings;
  const http = readUrl(`http${text.slice(colon)}`);
  const isSame = http.browser === http.specification;
  return { ...readings, problem: http.problem, browser: isSame ? specification : http.browser };
}

/** The only reading of a text for which {@link hasOneReading} returns `true`. */
export function readOneWay(text: string): BothReadings {
  const { specification, problem } = readUrl(text, "specification");
  return { specification, browser: specification, problem };
}

/** Both readings of a text in words. */
export function describeReadings(text: string): string {
  const { specification, browser } = readBothWays(text);
  const nameOf = (url: CanonicalUrl | null): string =>
    url === null ? "nothing" : shorten(exactExpression(url));
  return `browsers open ${nameOf(browser)}, the specification reads ${nameOf(specification)}`;
}
