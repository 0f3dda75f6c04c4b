import type { FoundLink, LinkSink } from "../found-link.ts";
import { scanHtml } from "../html/scan-html.ts";
import { type LinePlace, linePlaces } from "../line-places.ts";
import { findInText } from "../text/scan-text.ts";
import type { DecodedPart } from "./decode-part.ts";

/** A place in a mail. Line and column are those of the decoded text of the part. */
export interface MailPlace extends LinePlace {
  /**
   * The path of the part, from the outermost part to the innermost: `["text/html"]`, `["text/html 2"]` for the second
   * HTML part, `["subject"]`, `["list-unsubscribe"]`, `["message/rfc822 forwarded.eml", "text/plain"]`.
   */
  readonly part: readonly string[];
}

/** A link in a mail. Its indices are those of the decoded text of the part. */
export interface MailLink extends FoundLink, MailPlace {
  /**
   * The places of the same URL in the text of the message, if the link is in its HTML; otherwise empty. The text and
   * the HTML usually have the same contents.
   */
  readonly also: readonly MailPlace[];
}

/** Returns a sink that adds each link to `links`, with its place in the mail. */
export function into(part: readonly string[], text: string, links: MailLink[]): LinkSink {
  const lines = linePlaces(text);
  return (link) => links.push({ ...link, ...lines.placeOf(link.start), part, also: [] });
}

/** Searches the HTML of a mail. */
export function findInHtml(
  text: string,
  base: string | null,
  isDecoded: boolean,
  sink: LinkSink,
): void {
  scanHtml(text, { bases: [base], isMail: true, isDecoded, depth: 0, offset: 0, sink });
}

/**
 * The links in the text and HTML parts of a message. A URL in both is one link, placed in the HTML; `also` has its
 * places in the text.
 */
export function bodyLinks(parts: readonly DecodedPart[], path: readonly string[]): MailLink[] {
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
  parts: readonly DecodedPart[],
  kind: "text" | "html",
  name: readonly string[],
): MailLink[] {
  const links: MailLink[] = [];
  const ofKind = parts.filter((part) => part.kind === kind && part.texts.some(Boolean));
  for (const [index, { texts, base }] of ofKind.entries()) {
    const place = index === 0 ? name : [...name.slice(0, -1), `${name.at(-1)} ${index + 1}`];
    let known: ReadonlySet<string> = new Set();
    for (const text of texts) {
      const found: MailLink[] = [];
      const sink = into(place, text, found);
      if (kind === "text") findInText(text, 0, sink, "text", true);
      else findInHtml(text, base, true, sink);
      for (const link of found) if (!known.has(link.url)) links.push(link);
      known = new Set(found.map(({ url }) => url));
    }
  }
  return links;
}
