import { printable } from "@x/explain/printable";
import { Fragment, type VNode } from "preact";
import type { PageSettings } from "../page-settings.ts";

interface PageFooterProps {
  /** Whether a text is missing from the link, for example because it is too long. */
  readonly isLinkPartial: boolean;
  readonly settings: PageSettings;
}

export function PageFooter({ isLinkPartial, settings }: PageFooterProps): VNode {
  const { operator, source } = settings;
  return (
    <footer class="row">
      <Help {...settings} />
      {isLinkPartial && (
        <p class="warning">
          The link leaves out a text that is too long for a link or is not Unicode.
        </p>
      )}
      <p class="row muted">
        {operator !== null && (
          <span>
            This page is run by{" "}
            <a href={operator.href} rel="noreferrer">
              {printable(operator.name)}
            </a>
            .
          </span>
        )}
        <a href={source ?? "./readme.txt"} rel="noreferrer">
          {source === null ? "About the project" : "Source"}
        </a>
      </p>
    </footer>
  );
}

const ANSWERS = [
  [
    "How do I copy a link without opening it?",
    "On a computer, click it with the right mouse button, and choose “Copy link”. On a phone, keep your finger on it. Or copy the whole message: the page finds its links. Let the camera show the link of a QR code without opening it, and type or copy it here.",
  ],
  [
    "What do the colours mean?",
    "Red: do not open it. Blue: the site that opens. Purple: what disguises it. Amber: nobody knows. Nothing is green, because no list can say that a link is safe.",
  ],
  [
    "What does “probably” mean?",
    "Some lists have only the first 4 bytes of each hash, which another URL may share. Treat such a URL as listed until you know better. “Why” has the odds.",
  ],
  [
    "What leaves my machine?",
    "Nothing that you type or drop, and none of it is stored, except in the history of this tab. The page works offline: try it without a connection. “Copy page link” puts the texts of the screen into the link after “#”, a part that browsers do not send to servers, but anyone with the link can read them.",
  ],
  [
    "My site is listed. What can I do?",
    "Paste its address. “Is this your site?” says whom to ask, and what the publisher has said about why and since when. Whoever publishes the list decides.",
  ],
  [
    "Can I run this page?",
    "It is static files, which any host can serve. In settings.json, you can name yourself, a current list and the places for reports. The project also has a server for browsers, mail servers, proxies and DNS.",
  ],
] as const;

const LINKS = [
  ["https://cloud.google.com/web-risk/docs/urls-hashing", "The rules of Web Risk"],
  ["https://url.spec.whatwg.org/", "How browsers read URLs"],
  ["https://www.rfc-editor.org/rfc/rfc8141", "URNs (RFC 8141)"],
  ["./licenses.txt", "Licenses of the libraries in this page"],
] as const;

type HelpProps = Pick<PageSettings, "documents">;

/** Answers to common questions about the page, and links to read more. */
export function Help({ documents }: HelpProps): VNode {
  const links = [...(documents === null ? [] : [[documents, "Documentation"] as const]), ...LINKS];
  return (
    <details class="help">
      <summary>Help</summary>
      <dl class="stack">
        {ANSWERS.map(([question, answer]) => (
          <Fragment key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </Fragment>
        ))}
      </dl>
      <ul class="row links">
        {links.map(([href, text]) => (
          <li key={href}>
            <a href={href} rel="noreferrer">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
