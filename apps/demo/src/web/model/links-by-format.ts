import { type FoundLink, findLinks, leadsToSite } from "@x/links";
import { findLinksInMail, markedEncoding, recognizeMail } from "@x/links/mail";

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
  /** Names of the parts of an email that were not searched. */
  readonly unread: readonly string[];
  /** Whether the structure of an email is broken, so that links may be missing. */
  readonly isBroken: boolean;
  /** Whether the source is a binary file, such as a picture, so that links are probably missing. */
  readonly isBinary: boolean;
  /** Whether the source is an email or HTML, and so not a list of sites. */
  readonly isMessage: boolean;
  readonly isMail: boolean;
}

/** HTML from the clipboard, and its plain text. */
export interface PastedHtml {
  readonly html: string;
  readonly plain: string;
}

/**
 * Finds the links in bytes, which are read as an email, as HTML, as Markdown or as text, depending on their contents.
 */
export async function linksIn(bytes: Uint8Array): Promise<LinksIn> {
  const text = new TextDecoder(markedEncoding(bytes) ?? "utf-8").decode(bytes);
  if (recognizeMail(text.slice(0, START_LENGTH)) === "mail") {
    const { links, unread, problems } = await findLinksInMail(bytes);
    const names = unread.map(({ name, type }) => name ?? type);
    const isBroken = problems.length > 0;
    return { links, unread: names, isBroken, isBinary: false, isMessage: true, isMail: true };
  }
  const as = HTML_TAG.test(text) ? "html" : MARKDOWN_LINK.test(text) ? "markdown" : "text";
  const isBinary = isBinaryStart(text.slice(0, START_LENGTH));
  const links = findLinks(text, { as });
  const isMessage = as === "html";
  return { links, unread: [], isBroken: false, isBinary, isMessage, isMail: false };
}

/** Whether a file that begins with `start` is not a text. */
function isBinaryStart(start: string): boolean {
  return PDF_OR_NUL.test(start) || (start.match(CONTROLS)?.length ?? 0) > start.length / 50;
}

/** Whether HTML has links that its plain text does not have, or whose words show another host. */
export async function hasHiddenLinks({ html, plain }: PastedHtml): Promise<boolean> {
  const { links } = await linksIn(new TextEncoder().encode(plain));
  const written = new Set(links.map(({ url }) => bareOf(url)));
  return findLinks(html, { as: "html" }).some(
    ({ url, shown }) => leadsToSite(url) && (shown !== null || !written.has(bareOf(url))),
  );
}

/** A URL without its scheme and last slash, which words often leave out. */
function bareOf(url: string): string {
  return url.replace(/^https?:\/\/([^/?#]*)\/?$|^https?:\/\//i, "$1");
}
