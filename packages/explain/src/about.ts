/** Why the entries of a list are on it, and whom to tell about a mistake, in the words of its publisher. */
export interface ListAbout {
  readonly reason?: string | undefined;
  readonly contact?: string | undefined;
}

/** Formats what the publisher of a list says about it, for people. Returns `""` when the publisher says nothing. */
export function aboutText({ reason, contact }: ListAbout): string {
  return [reason, contact].filter((each) => each !== undefined).join("; ");
}

const MAIL = /^[\w.!+*/=^{|}~-]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

/**
 * The target of a link to a contact, which is an email address or the URL of a page. Returns `null` for other texts, so
 * that no link leads there.
 */
export function contactHref(contact: string): string | null {
  if (MAIL.test(contact)) {
    return `mailto:${contact.replace(/[?&/=]/g, encodeURIComponent)}?subject=Blocked%20by%20mistake`;
  }
  if (!/^https?:\/\/[!-~]+$/i.test(contact) || !URL.canParse(contact)) return null;
  const { username, password } = new URL(contact);
  return username === "" && password === "" ? contact : null;
}
