import { LINKS_HEADING } from "./links-behind-words.ts";

const MOST_LINKS = 500;
const LONGEST_WORDS = 200;
/** A URL of a site, or a reference that begins with a host, which mail programs open, too. */
const TO_A_SITE = /^(?:(?:https?|ftp):|[\\/]{2}|[^\s/?#:@\\]+\.[^\s/?#:@\\]+(?:[/?#:]|$))/i;
const LIKE_A_HOST = /[^\s.]\.[^\s.]/;

/** The links of a document as lines to put below its plain text; empty if the text has them all. */
export function linesOfLinks(html: Document, plain: string): string {
  const lines = new Set<string>();
  const written = new Set(plain.split(/[\s<>"]+/).map(bareOf));
  let isCut = false;
  for (const link of html.querySelectorAll("a[href], area[href]")) {
    const url = urlOf(link.getAttribute("href")!);
    if (url === null) continue;
    const words = wordsOf(link);
    const bare = bareOf(url);
    // Words that look like a host may show another site than the link opens, even if the text has the link, too.
    const mayMislead = LIKE_A_HOST.test(words) && bareOf(words) !== bare;
    const line = `${words} <${url}>`;
    if ((written.has(bare) && !mayMislead) || lines.has(line)) continue;
    isCut = lines.size === MOST_LINKS;
    if (isCut) break;
    lines.add(line);
  }
  if (lines.size === 0) return "";
  const more = isCut ? [`Only the first ${MOST_LINKS} links are read.`] : [];
  return [LINKS_HEADING, ...lines, ...more].join("\n");
}

/** A URL without what people leave out. */
function bareOf(url: string): string {
  return url.replace(/^(?:(?:https?|ftp):)?\/\/|\/$/gi, "");
}

function urlOf(href: string): string | null {
  const url = href
    .replace(/[\t\r\n]/g, "")
    .trim()
    .replace(/[ <>]/g, encodeURIComponent);
  if (!TO_A_SITE.test(url)) return null;
  return /^[\\/]/.test(url) ? `https:${url}` : url;
}

function wordsOf(link: Element): string {
  const text = `${link.textContent} ${link.querySelector("img")?.alt ?? ""}`;
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_WORDS) || "(no words)";
}
