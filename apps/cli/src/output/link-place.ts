import type { LinePlace } from "@x/links";

/** Where a link was found. Lines and columns count from 1; in a mail, they are those of its decoded part. */
export interface LinkPlace extends LinePlace {
  /** The number of the mail in an mbox file, from 1. */
  readonly mail?: number;
  /** The part of the mail, from the outermost one to the innermost. */
  readonly part?: readonly string[];
}

/** A place for people. */
export function linkPlaceText({ mail, part, line, column }: LinkPlace): string {
  return `${mailPlaceText({ mail, part })}${line}:${column}`;
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
