import { lineOfLink } from "./links-behind-words.ts";

const LONGEST_WORDS = 200;
/** A URL of a site, or a reference that begins with a host, which mail programs open, too. */
const TO_A_SITE = /^(?:(?:https?|ftp):|[\\/]{2}|[^\s/?#:@\\]+\.[^\s/?#:@\\]+(?:[/?#:]|$))/i;
const LIKE_A_HOST = /[^\s.]\.[^\s.]/;

/**
 * Returns lines to put below the plain text of a document, with the first links that the text does not have and with
 * their words.
 */
export function linesOfLinks(html: Document, plain: string, most: number): readonly string[] {
  const lines = new Set<string>();
  const written = new Set(plain.split(/[\s<>"]+/).map(bareOf));
  for (const link of html.querySelectorAll("a[href], area[href]")) {
    const url = urlOf(link.getAttribute("href")!);
    if (url === null) continue;
    const words = wordsOf(link);
    const bare = bareOf(url);
    // Words that look like a host may name a site other than the one that the link opens, even if the text has the
    // link, too.
    const mayMislead = LIKE_A_HOST.test(words) && bareOf(words) !== bare;
    if (!written.has(bare) || mayMislead) lines.add(lineOfLink(words, url));
    if (lines.size === most) break;
  }
  return [...lines];
}

/** A URL without its scheme and last slash, which people often leave out. */
function bareOf(url: string): string {
  return url.replace(/^(?:(?:https?|ftp):)?\/\/|\/$/gi, "");
}

function urlOf(href: string): string | null {
  const url = href.replace(/[\t\r\n]/g, "").trim();
  if (!TO_A_SITE.test(url)) return null;
  return /^[\\/]/.test(url) ? `https:${url}` : url;
}

function wordsOf(link: Element): string {
  const text = `${link.textContent} ${link.querySelector("img")?.alt ?? ""}`;
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_WORDS) || "(no words)";
}
