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
  isDecoded = false,
): void {
  const toFound = foundLinks(where);
  scanText({ text, from: 0, isLast: true, isDecoded }, (link) => sink(toFound(text, link, offset)));
}

/** Between a link and one in angle brackets that it may be the visible text of. Email programs write links so. */
const BRACKET_AFTER = /^[ \t\xa0]{0,8}<$/;
const LONGEST_BEFORE_BRACKET = 9;
const STARTS_WITH_SCHEME = /^[a-z][^.]{0,30}:/i;

/**
 * Returns a function that completes the links of one text, in order. Each call may give another part of the text, which
 * starts at `offset` and includes what is directly before the link.
 */
export function foundLinks(
  where: string,
): (text: string, link: LinkInText, offset: number) => FoundLink {
  // Links overlap if a text can be read in two ways.
  let before: FoundLink | null = null;
  let last: FoundLink | null = null;
  return (text, { start, end, url, isDefanged }, offset) => {
    const place = { start: offset + start, end: offset + end };
    const isNext = last === null || place.start >= last.end;
    if (isNext) before = last;
    const written = text.slice(start, end);
    const gap = before === null ? Infinity : place.start - before.end;
    const isText =
      gap <= LONGEST_BEFORE_BRACKET &&
      BRACKET_AFTER.test(text.slice(start - gap, start)) &&
      STARTS_WITH_SCHEME.test(written);
    const shown = isText ? shownAsOther(before!.text, url) : null;
    const link = { text: written, ...place, url, where, isDefanged, shown };
    if (isNext || place.end > last!.end) last = link;
    return link;
  };
}

const LONGEST_SHOWN = 200;
/** Schemes of links whose text is often an address or a number instead of a host. */
const NOT_OPENED = /^(?:mailto|tel|sms|xmpp|cid):/i;

/** The text of a link if it contains a URL or host of another site; otherwise `null`. */
export function shownAsOther(text: string, url: string): string | null {
  const shown = text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SHOWN);
  if (shown === "" || NOT_OPENED.test(url)) return null;
  let isOther = false;
  scanText({ text: shown, from: 0, isLast: true }, (link) => {
    isOther ||= !isSameSite(hostOf(link.url), hostOf(url));
  });
  return isOther ? shown : null;
}

/** Whether two hosts are equal, or one is a subdomain of the other. */
function isSameSite(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`);
}

function hostOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  return (browser ?? specification)?.host.replace(/^www\./, "") ?? null;
}
