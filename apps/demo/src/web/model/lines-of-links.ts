import { LINKS_HEADING } from "./links-behind-words.ts";

const MOST_LINKS = 500;
const LONGEST_WORDS = 200;
/** A URL of a site, or a reference that begins with a host, which mail programs open, too. */
const TO_A_SITE = /^(?:(?:https?|ftp):|[\\/]{2}|[^\s/?#:@\\]+\.[^\s/?#:@\\]+(?:[/?#:]|$))/i;
const LIKE_A_HOST = /[^\s.]\.[^\s.]/;

/** The links of a document as lines to put below its plain text; empty if the text has them all. */
export function linesOfLinks(html: Document, plain: string): string {
  const lines = new Set<string>();
  const seen = new Set<string>();
  let isCut = false;
  for (const link of html.querySelectorAll("a[href], area[href]")) {
    const url = urlOf(link.getAttribute("href")!);
    if (url === null) continue;
    const words = wordsOf(link);
    const bare = url.replace(/^[a-z]*:?\/\/|\/$/gi, "");
    const line = `${words} <${url}>`;
    if (words.includes(bare) || seen.has(line)) continue;
    isCut = seen.size === MOST_LINKS;
    if (isCut) break;
    seen.add(line);
    // Words that look like a host may show another site than the link opens, even if the text has the link, too.
    if (LIKE_A_HOST.test(words) || !plain.includes(bare)) lines.add(line);
  }
  if (lines.size === 0) return "";
  const more = isCut ? [`Only the first ${MOST_LINKS} links are read.`] : [];
  return [LINKS_HEADING, ...lines, ...more].join("\n");
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
