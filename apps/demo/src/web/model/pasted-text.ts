import { findLinks, leadsToSite } from "@x/links";
import { LINKS_HEADING, lineOfLink } from "./links-behind-words.ts";
import { linksIn } from "./links-by-format.ts";

const MOST_LINKS = 500;

/** The words for a link that shows no other host, by the `where` of the link. */
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

export interface PastedHtml {
  readonly html: string;
  readonly plain: string;
}

/**
 * The plain text of pasted HTML, with the links below it that it does not have, because plain text does not say where
 * links lead.
 */
export async function pastedText({ html, plain }: PastedHtml): Promise<string> {
  const all = findLinks(html, { as: "html" }).filter(({ url }) => leadsToSite(url));
  const inWords = new Set(
    all.flatMap(({ shown }) => findLinks(shown ?? "").map(({ url }) => bareOf(url))),
  );
  const written = await linksIn(new TextEncoder().encode(plain));
  const known = new Set(written.links.map(({ url }) => bareOf(url)));
  for (const bare of inWords) known.delete(bare);
  const lines = new Set<string>();
  for (const { url, where, shown } of all) {
    if (shown === null && known.has(bareOf(url))) continue;
    known.add(bareOf(url));
    lines.add(lineOfLink(shown ?? PLACES[where] ?? "(link)", url));
  }
  if (lines.size === 0) return plain;
  const kept = [LINKS_HEADING, ...[...lines].slice(0, MOST_LINKS)];
  if (lines.size > MOST_LINKS) kept.push(`Only the first ${MOST_LINKS} links are read.`);
  return `${plain.trimEnd()}\n\n${kept.join("\n")}\n`.trimStart();
}

/** A URL without its scheme and last slash, which hardly matter to a look-up. */
function bareOf(url: string): string {
  return url.replace(/^https?:\/\/([^/?#]*)\/?$|^https?:\/\//i, "$1");
}
