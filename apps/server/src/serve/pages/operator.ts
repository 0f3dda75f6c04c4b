/** The operator of a server, according to the settings. */
export interface Operator {
  readonly name: string | null;
  /** Further information from the operator, as plain text. */
  readonly text: string | null;
  /** An email address or the URL of a page. */
  readonly contact: string | null;
}

export const NO_OPERATOR: Operator = { name: null, text: null, contact: null };

const MAIL = /^[\w.!+*/=^{|}~-]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

/** Whether a text is an email address or the URL of a page, so that a link may lead there. */
export function isContact(text: string): boolean {
  if (MAIL.test(text)) return true;
  if (!/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** The link to a contact. An email gets this subject and text. */
export function contactLink(contact: string, subject: string, text: string | null): string {
  if (!MAIL.test(contact)) return contact;
  const body = text === null ? "" : `&body=${encodeURIComponent(text)}`;
  const address = contact.replace(/[?&/=]/g, encodeURIComponent);
  return `mailto:${address}?subject=${encodeURIComponent(subject)}${body}`;
}

/** The operator's name, or the server's host if no name is set. */
export function nameOf({ name }: Operator, origin: string): string {
  return name ?? new URL(origin).host;
}
