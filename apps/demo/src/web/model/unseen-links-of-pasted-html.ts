import { findLinks, leadsToSite } from "@x/links";
import { lineOfLink } from "./links-behind-words.ts";
import { linksIn } from "./links-by-format.ts";

/** The words of a link without text, by the `where` of the link. */
const PLACES: Readonly<Record<string, string>> = {
  action: "(form)",
  formaction: "(form)",
  script: "(script)",
  comment: "(comment)",
  text: "(text)",
  src: "(embedded)",
  srcset: "(embedded)",
  background: "(embedded)",
  css: "(embedded)",
};

export interface MissingAsked {
  readonly html: string;
  /** The plain text of the HTML, with the lines of `linesOfLinks` below it. */
  readonly text: string;
}

/** Lines for the links in pasted HTML that are not in its text, such as those in forms, scripts and pictures. */
export async function missingLinks({ html, text }: MissingAsked): Promise<readonly string[]> {
  const { links, onlyWords } = await linksIn(new TextEncoder().encode(text));
  const read = links.filter(({ url }) => !onlyWords.has(url));
  const known = new Set(read.map(({ url }) => urlIn(lineOfLink("", url))));
  const lines: string[] = [];
  for (const { url, where } of findLinks(html, { as: "html" })) {
    const line = lineOfLink(PLACES[where] ?? "(no words)", url);
    if (!leadsToSite(url) || known.has(urlIn(line))) continue;
    known.add(urlIn(line));
    lines.push(line);
  }
  return lines;
}

/** The URL in a line, without its scheme and last slash, which hardly matter to a look-up. */
function urlIn(line: string): string {
  return line
    .slice(line.lastIndexOf("<"))
    .replace(/^<https?:\/\/([^/?#]*)\/?(?=>)|^<https?:\/\//i, "$1");
}
