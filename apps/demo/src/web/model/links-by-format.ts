import { type FoundLink, findLinks } from "@x/links";
import { findLinksInMail, recognizeMail } from "@x/links/mail";
import {
  hasLinksBehindWords,
  type LinkBehindWords,
  splitLinksBehindWords,
} from "./links-behind-words.ts";

const HTML_TAG =
  /<(?:!doctype|html|head|body|meta|a|p|div|span|table|td|img|br|script|style|form|button|iframe)\b/i;
const MARKDOWN_LINK = /\]\([^\s)]|^\[[^\]\n]+\]: /m;

/** The number of code units that are examined to recognize the kind of a file. */
const START_LENGTH = 65_536;
const PDF_OR_NUL = /^%PDF-|\0/;
/** Control characters that are rare in texts. */
const CONTROLS = /[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]/g;

export interface LinksIn {
  readonly links: readonly FoundLink[];
  readonly unread: readonly string[];
  readonly isBroken: boolean;
  readonly isBinary: boolean;
  readonly isMessage: boolean;
  /** URLs that occur only in the words of other links. */
  readonly onlyWords: ReadonlySet<string>;
}

/** Finds the links in bytes, which are read as an email, as HTML, as Markdown or as text, depending on their contents. */
export async function linksIn(bytes: Uint8Array): Promise<LinksIn> {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return hasLinksBehindWords(text) ? linksInPasted(text) : linksInText(text, bytes);
}

/** The links in a text with lines of `lineOfLink`. */
async function linksInPasted(text: string): Promise<LinksIn> {
  const { rest, links } = splitLinksBehindWords(text);
  const found = await linksInText(rest, new TextEncoder().encode(rest));
  const behind = links.flatMap(linkBehindWords);
  const onlyWords = new Set(
    links.flatMap((link) => {
      const isOther = linkBehindWords(link).some(({ shown }) => shown !== null);
      return isOther ? findLinks(link.words).map(({ url }) => url) : [];
    }),
  );
  for (const { url } of behind) onlyWords.delete(url);
  return { ...found, links: [...found.links, ...behind], onlyWords };
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

async function linksInText(text: string, bytes: Uint8Array): Promise<LinksIn> {
  const onlyWords = new Set<string>();
  if (recognizeMail(text.slice(0, START_LENGTH)) === "mail") {
    const { links, unread, problems } = await findLinksInMail(bytes);
    const names = unread.map(({ name, type }) => name ?? type);
    const isBroken = problems.length > 0;
    return { links, unread: names, isBroken, isBinary: false, isMessage: true, onlyWords };
  }
  const as = HTML_TAG.test(text) ? "html" : MARKDOWN_LINK.test(text) ? "markdown" : "text";
  const isBinary = isBinaryStart(text.slice(0, START_LENGTH));
  const links = findLinks(text, { as });
  return { links, unread: [], isBroken: false, isBinary, isMessage: as === "html", onlyWords };
}

/** Whether a file that begins with `start` is not a text. */
function isBinaryStart(start: string): boolean {
  return PDF_OR_NUL.test(start) || (start.match(CONTROLS)?.length ?? 0) > start.length / 50;
}

/** Reads a link with its words as if it were in HTML. */
export function linkBehindWords({ words, url }: LinkBehindWords): FoundLink[] {
  const html = `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`;
  return findLinks(html, { as: "html" })
    .filter(({ where }) => where === "href")
    .map((link) => ({ ...link, text: url }));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
