import { contactHref } from "@x/explain/about";
import type { Reply } from "../http/reply.ts";
import { escapeHtml, pageReply } from "./html.ts";

/** The operator of a server, according to the settings. */
export interface Operator {
  readonly name: string | null;
  /** Further information from the operator, as plain text. */
  readonly text: string | null;
  /** An email address or the URL of a page. */
  readonly contact: string | null;
}

export const NO_OPERATOR: Operator = { name: null, text: null, contact: null };

/** The operator that settings name. */
export function operatorFrom({
  name = null,
  contact = null,
  text = null,
}: {
  readonly [Name in keyof Operator]?: Operator[Name] | undefined;
}): Operator {
  return { name, contact, text };
}

/** The operator's name, or the server's host if no name is set. */
export function nameOf({ name }: Operator, origin: string): string {
  return name ?? new URL(origin).host;
}

const WHO_TO_ASK = "Ask the person who set up your browser or your network.";

/** The operator's name and further information, as HTML. */
export function operatorHtml({ name, text }: Operator): string {
  const who = name ?? `The operator has not given a name. ${WHO_TO_ASK}`;
  const paragraphs = text === null ? [who] : [who, text];
  return paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join("\n");
}

/** A link to a contact, as HTML. A text that is no contact is shown without a link. */
export function contactHtml(contact: string): string {
  const href = contactHref(contact);
  if (href === null) return escapeHtml(contact);
  return `<a href="${escapeHtml(href)}">${escapeHtml(contact)}</a>`;
}

/** How to report a mistake to the operator, as HTML. */
export function objectionHtml({ contact }: Operator): string {
  if (contact === null) return `<p>The operator has not given a contact. ${WHO_TO_ASK}</p>`;
  const link = contactHtml(contact);
  return `<p>Tell the operator: ${link}. Give the address that was blocked, and say why it should not be.</p>`;
}

/** The page at `/`: who runs the server, how to object, and where programs find what they need. */
export function statusPage(operator: Operator): Reply {
  const title = "Lists of dangerous sites";
  const body = `<main>
<h1>${title}</h1>
<h2>Who runs this server?</h2>
${operatorHtml(operator)}
<h2>Was a page blocked by mistake?</h2>
${objectionHtml(operator)}
<h2>For programs and operators</h2>
<p>Clients of Safe Browsing use the API below <code>/v4/</code> and <code>/v5/</code>, and those of Web Risk the one
below <code>/v1/</code>. <a href="/openapi.json">/openapi.json</a> describes the whole API. For operators, there are
<a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a> and <a href="/metrics">/metrics</a>.</p>
</main>`;
  const of = operator.name === null ? "" : ` · ${operator.name}`;
  return pageReply("status", 200, { title: title + of, body });
}
