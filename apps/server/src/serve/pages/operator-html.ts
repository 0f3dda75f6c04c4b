import { escapeHtml } from "./html.ts";
import { contactLink, type Operator } from "./operator.ts";

const WHO_TO_ASK = "Ask the person who set up your browser or your network.";

/** The operator's name and further information, as HTML. */
export function operatorHtml({ name, text }: Operator): string {
  const who = name ?? `The operator has not given a name. ${WHO_TO_ASK}`;
  const paragraphs = text === null ? [who] : [who, text];
  return paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join("\n");
}

/**
 * How to report a mistake to the operator, as HTML. An email gets this subject and, if `url` is known, the blocked
 * address.
 */
export function objectionHtml(
  { contact }: Operator,
  subject: string,
  url: string | null = null,
): string {
  if (contact === null) return `<p>The operator has not given a contact. ${WHO_TO_ASK}</p>`;
  const link = `<a href="${escapeHtml(contactLink(contact, subject, url))}">${escapeHtml(contact)}</a>`;
  return `<p>Tell the operator: ${link}. Give the address that was blocked, and say why it should not be.</p>`;
}
