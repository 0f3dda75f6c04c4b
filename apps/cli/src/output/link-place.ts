import type { LinePlace } from "@x/links";
import type { MailPlace } from "@x/links/mail";

/** The place of a link. Lines and columns count from 1; in a mail, they are those of the decoded part. */
export interface LinkPlace extends LinePlace {
  /** The path to the part of the mail, from the outermost part to the innermost. */
  readonly part?: readonly string[];
  /** The other places of the same URL in the mail. */
  readonly also?: readonly MailPlace[];
}

/** Formats the place of a link for people. */
export function linkPlaceText({ part, line, column }: LinkPlace): string {
  return `${partText(part)}${line}:${column}`;
}

/** Formats the other places of the same URL in parentheses. Returns `""` if there are none. */
export function otherPlacesText({ also = [] }: LinkPlace): string {
  return also.length === 0 ? "" : ` (also ${also.map(linkPlaceText).join(", ")})`;
}

/** Formats the part of a mail, followed by a colon. Returns `""` for the mail itself. */
export function partText(part: readonly string[] = []): string {
  return part.length === 0 ? "" : `${part.join(" > ")}:`;
}
