import { readUrl } from "@x/canon/readings";
import type { FoundLink, LinkSink } from "../found-link.ts";
import type { LinkInText } from "./link-end.ts";
import { scanText } from "./scan-text.ts";

/** Finds the links in a whole text; their indices start at `offset`. */
export function findInText(
  text: string,
  offset: number,
  sink: LinkSink,
  where = "text",
  isDecoded?: boolean,
): void {
  const toFound = foundLinks(where);
  scanText({ text, from: 0, isLast: true, isDecoded }, (link) => sink(toFound(text, link, offset)));
}

/** What is between a URL in angle brackets and the link before it if email programs wrote that link as its text. */
const BRACKET = /^[ \t\xa0]{0,8}<$/;

/**
 * Returns a function that completes the links of one text, in order. Each call may give another part of the text, which
 * starts at `offset` and includes what is directly before the link.
 */
export function foundLinks(
  where: string,
): (text: string, link: LinkInText, offset: number) => FoundLink {
  let before: FoundLink | undefined;
  let last: FoundLink | undefined;
  return (text, { start, end, url, isDefanged }, offset) => {
    const link = {
      text: text.slice(start, end),
      start: offset + start,
      end: offset + end,
      url,
      where,
      isDefanged,
      shown: null as string | null,
    };
    // Links overlap if a text can be read in two ways, the longest one first.
    if (link.start >= (last?.end ?? 0)) {
      before = last;
      last = link;
    }
    if (
      before !== undefined &&
      BRACKET.test(text.slice(Math.max(0, before.end - offset), start)) &&
      /^\w+:/.test(link.text) &&
      !isSameSite(before.url, url)
    ) {
      link.shown = before.text;
    }
    return link;
  };
}

/** Whether the hosts of two URLs are equal, or one is a subdomain of the other. */
export function isSameSite(url: string, otherUrl: string): boolean {
  const one = dottedHost(url);
  const other = dottedHost(otherUrl);
  return one.endsWith(other) || other.endsWith(one);
}

/** The host of a URL after a dot, without `www`; `".."`, which ends no host, if it has none. */
function dottedHost(url: string): string {
  const { specification, browser } = readUrl(url);
  return `.${(browser ?? specification)?.host ?? "."}`.replace(/^\.www\./, ".");
}
