import type { FoundLink, LinkSink } from "../found-link.ts";
import { type LinePlace, linePlaces } from "../line-places.ts";

/** A place in a mail. Line and column are those of the decoded text of the part. */
export interface MailPlace extends LinePlace {
  /**
   * The part that it is in, from the outermost one to the innermost: `["text/html"]`, `["text/html 2"]` for
   * the second one, `["subject"]`, `["list-unsubscribe"]`, `["message/rfc822 forwarded.eml", "text/plain"]`.
   */
  readonly part: readonly string[];
}

/** A link in a mail. Its indices are those of the decoded text of the part. */
export interface MailLink extends FoundLink, MailPlace {
  /**
   * The places of the same URL in the text of the message, if the link is in its HTML: mails usually say the same in
   * both.
   */
  readonly also: readonly MailPlace[];
}

/** Adds links in a text of a mail to others, with their places. */
export function into(part: readonly string[], text: string, links: MailLink[]): LinkSink {
  const lines = linePlaces(text);
  return (link) => links.push({ ...link, ...lines.placeOf(link.start), part, also: [] });
}
