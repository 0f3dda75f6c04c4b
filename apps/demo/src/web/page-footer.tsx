import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import type { PageSettings } from "../page-settings.ts";

interface PageFooterProps {
  /** Whether a text is missing from the link, for example because it is too long. */
  readonly isLinkPartial: boolean;
  readonly settings: PageSettings;
}

export function PageFooter({ isLinkPartial, settings }: PageFooterProps): VNode {
  const { operator } = settings;
  return (
    <footer class="row">
      <Help {...settings} />
      {isLinkPartial && (
        <p class="warning">
          The link leaves out a text that is too long for a link or is not Unicode.
        </p>
      )}
      {operator !== null && (
        <p class="muted">
          This page is run by{" "}
          <a href={operator.href} rel="noreferrer">
            {printable(operator.name)}
          </a>
          .
        </p>
      )}
    </footer>
  );
}

const LINKS = [
  ["./readme.txt", "README of the project, as text"],
  ["https://cloud.google.com/web-risk/docs/urls-hashing", "The rules of Web Risk"],
  ["https://url.spec.whatwg.org/", "How browsers read URLs"],
  ["https://www.rfc-editor.org/rfc/rfc8141", "URNs (RFC 8141)"],
  ["./licenses.txt", "Licenses of the libraries in this page"],
] as const;

type HelpProps = Pick<PageSettings, "documents" | "source">;

/** Answers to common questions about the page, and links to read more. */
export function Help({ documents, source }: HelpProps): VNode {
  const links = [
    ...(documents === null ? [] : [[documents, "Documentation"] as const]),
    ...(source === null ? [] : [[source, "Source"] as const]),
    ...LINKS,
  ];
  return (
    <details class="help">
      <summary>Help</summary>
      <dl class="stack">
        <dt>How do I copy a link without opening it?</dt>
        <dd>
          On a computer, click it with the right mouse button, and choose “Copy link”. On a phone,
          keep your finger on it. Or copy the whole message, such as an email or an SMS: the page
          finds its links. Let the camera show the link of a QR code without opening it, and type or
          copy it here.
        </dd>
        <dt>How do I report a link, or show the answer to others?</dt>
        <dd>
          Paste it, and press “Report”, “Share” or “Save picture”. A report has no links to click,
          and the picture has nothing but what you typed.
        </dd>
        <dt>Why is this URL on a list?</dt>
        <dd>
          The page canonicalizes it, forms its expressions (parts of the host joined to parts of the
          path), hashes each one, and looks up the hashes in the lists. One match is enough.
        </dd>
        <dt>What does “probably” mean?</dt>
        <dd>
          Some lists have only the first 4 bytes of each hash, which another URL may share. Treat
          such a URL as listed until you know better. “How sure” has the odds.
        </dd>
        <dt>Why are there two readings?</dt>
        <dd>
          Browsers do not read every text as the specification of Safe Browsing does. Attackers use
          the difference to hide a listed site. The page looks up both readings.
        </dd>
        <dt>Which lists can I use?</dt>
        <dd>
          Any file of URLs or hosts, a hosts file, Adblock filters, a table or hashes: drop it on
          “Lists”. Lines that you paste can be used as a list, too. The built-in list has real
          phishing sites.
        </dd>
        <dt>What leaves my machine?</dt>
        <dd>
          Nothing that you type or drop, and none of it is stored, except in the history of this
          tab. The page works offline. “Copy link” puts the texts of the screen into the link after
          “#”, a part that browsers do not send to servers, but anyone with the link can read them.
        </dd>
        <dt>For site owners</dt>
        <dd>
          Paste your address. If a current list has it, the answer says why, since when, and whom to
          ask. Whoever publishes the list decides, not this page.
        </dd>
        <dt>For operators</dt>
        <dd>
          The page is static files, which any host can serve. In <code>settings.json</code>, you can
          name yourself, a current list and the places for reports.
        </dd>
        <dt>For developers</dt>
        <dd>
          A TypeScript monorepo (MIT license): libraries that canonicalize, hash and look up URLs,
          speak Safe Browsing v5 and v4 and Web Risk, and parse URNs. In the repository,{" "}
          <code>npm start</code> runs it. The libraries are not on npm yet:{" "}
          <code>npm run pack -- ../your-project</code> packs them. They need Node 20.19 or newer, or
          a current browser.
        </dd>
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
