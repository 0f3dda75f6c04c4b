import { scanHtml } from "../html/scan-html.ts";
import { findInText } from "../text/scan-text.ts";
import { into, type MailLink, type MailPlace } from "./mail-link.ts";
import type { ParsedPart } from "./parse-message.ts";

/**
 * The links in the text and HTML parts of a message. A URL in both is one link, placed in the HTML; `also` has its
 * places in the text.
 */
export function bodyLinks(parts: readonly ParsedPart[], path: readonly string[]): MailLink[] {
  const inText = linksOf(parts, "text", [...path, "text/plain"]);
  const inHtml = linksOf(parts, "html", [...path, "text/html"]);
  const places = new Map<string, MailPlace[]>(inHtml.map(({ url }) => [url, []]));
  const onlyInText = inText.filter(({ url, part, line, column }) => {
    const also = places.get(url);
    also?.push({ part, line, column });
    return also === undefined;
  });
  const told = new Set<string>();
  const merged = inHtml.map((link) => {
    const also = told.has(link.url) ? [] : places.get(link.url)!;
    told.add(link.url);
    return { ...link, also };
  });
  return [...onlyInText, ...merged];
}

/** The links in all parts of one kind. From the second part on, the name of a part includes its number. */
function linksOf(
  parts: readonly ParsedPart[],
  kind: "text" | "html",
  name: readonly string[],
): MailLink[] {
  const links: MailLink[] = [];
  let count = 0;
  for (const part of parts) {
    const text = part[kind];
    if (text === undefined) continue;
    count++;
    const place = count === 1 ? name : [...name.slice(0, -1), `${name.at(-1)} ${count}`];
    const found = search(text, kind, part.base, place);
    const other = part.other?.[kind];
    if (other !== undefined) {
      const known = new Set(found.map(({ url }) => url));
      for (const link of search(other, kind, part.base, place)) {
        if (!known.has(link.url)) found.push(link);
      }
    }
    for (const link of found) links.push(link);
  }
  return links;
}

function search(
  text: string,
  kind: "text" | "html",
  base: string | null,
  place: readonly string[],
): MailLink[] {
  const links: MailLink[] = [];
  const sink = into(place, text, links);
  if (kind === "text") findInText(text, 0, sink, "text", true);
  else {
    const place = { depth: 0, offset: 0 };
    scanHtml(text, { ...place, bases: [base], isMail: true, isDecoded: true, sink });
  }
  return links;
}
