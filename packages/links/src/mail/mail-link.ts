import type { FoundLink, LinkSink } from "../found-link.ts";
import { type LinePlace, linePlaces } from "../line-places.ts";

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
