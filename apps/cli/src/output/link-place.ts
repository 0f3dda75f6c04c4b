import type { LinePlace } from "@x/links";
import type { MailPlace } from "@x/links/mail";

/** Where a link was found. Lines and columns count from 1; in a mail, they are those of its decoded part. */
export interface LinkPlace extends LinePlace {
  /** The number of the mail in an mbox file, from 1. */
  readonly mail?: number;
  /** The part of the mail, from the outermost one to the innermost. */
  readonly part?: readonly string[];
  /** Where else the same URL is in the mail. */
  readonly also?: readonly MailPlace[];
}

/** A place for people. */
export function linkPlaceText({ mail, part, line, column }: LinkPlace): string {
  return `${mailPlaceText({ mail, part })}${line}:${column}`;
}

/** Where else the same URL is, for people: empty, or in parentheses. */
export function otherPlacesText({ also = [] }: LinkPlace): string {
  return also.length === 0 ? "" : ` (also ${also.map(linkPlaceText).join(", ")})`;
}

/** Which part of which mail, for people: empty, or with a colon at the end. */
export function mailPlaceText({
  mail,
  part,
}: {
  readonly mail?: number | undefined;
  readonly part?: readonly string[] | undefined;
}): string {
  const inMail = mail === undefined ? "" : `mail ${mail}:`;
  return part === undefined || part.length === 0 ? inMail : `${inMail}${part.join(" > ")}:`;
}
