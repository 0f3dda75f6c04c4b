import { printable } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import { listsInWords } from "../../model/lists-in-words.ts";
import type { PageList } from "../../model/page-list.ts";
import type { NamedLink } from "../../model/page-settings.ts";
import { placesOf } from "./next-steps.tsx";

interface GoodToKnowProps {
  /** The lists in use; `null` while they are loading. */
  readonly lists: readonly PageList[] | null;
  /** The places for reports that the operator of the page has set; empty for the usual places. */
  readonly reports: readonly NamedLink[];
  /** The URL of the documentation; `null` if that is not set. */
  readonly documents: string | null;
  /** The URL of the source code; `null` if that is not set. */
  readonly source: string | null;
  /** Called to show the lists. */
  readonly onLists: () => void;
  /** Called to check many URLs. */
  readonly onMany: () => void;
}

interface ColumnProps {
  readonly title: string;
  readonly lines: readonly ComponentChildren[];
  /** Links to more information. */
  readonly children: ComponentChildren;
}

function Column({ title, lines, children }: ColumnProps): VNode {
  return (
    <div class="stack">
      <h3>{title}</h3>
      <ul class="stack">
        {lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
      <div class="row">{children}</div>
    </div>
  );
}

/** Advice for people who have not pasted anything yet, and an overview of the features of the page. */
export function GoodToKnow(props: GoodToKnowProps): VNode {
  const { lists, reports, documents, source, onLists, onMany } = props;
  return (
    <section class="good-to-know" aria-label="Good to know">
      <Column
        title="A strange message?"
        lines={[
          "Paste the whole mail or SMS: nothing in it is opened.",
          "To copy one link, right-click it, or hold it on a phone; for a QR code, copy the link that the camera shows.",
          <strong>Not on a list does not mean safe.</strong>,
          <>
            <strong>Clicked it?</strong> Close the page. Change a password that you typed. Gave a
            card number? Call the bank.
          </>,
        ]}
      >
        <span>Report it:</span>
        {placesOf(reports).map(({ href, name }) => (
          <a key={href} href={href} rel="noreferrer">
            {printable(name)}
          </a>
        ))}
      </Column>
      <Column
        title="For analysts"
        lines={[
          "Reads hxxps, [.] and punycode; unwraps Safe Links, Proofpoint and redirects; marks look-alike letters.",
          "Shows the entry that matches, the hashes, and what an online check would send.",
          "Reports to copy; 100 000 URLs in about a second.",
          lists === null
            ? "Loading the lists …"
            : `List: ${listsInWords(lists.map(({ list }) => list))}, or your own.`,
        ]}
      >
        <button type="button" class="link" onClick={onMany}>
          Many URLs, CSV and NDJSON
        </button>
        <button type="button" class="link" onClick={onLists}>
          Lists
        </button>
      </Column>
      <Column
        title="For developers"
        lines={[
          "TypeScript libraries, a command and a server: check URLs, publish lists, parse URNs.",
          "Safe Browsing v5 and v4, Web Risk. MIT license.",
          "For Node 20.19 or newer and current browsers.",
          "A URN parser is 3 kB, gzipped; a URL checker is 43 kB, and takes about 1 µs for a URL.",
          <>
            In the repository, <code>npm start</code> runs it.
          </>,
        ]}
      >
        <a href="./readme.txt">README, as text</a>
        {source !== null && (
          <a href={source} rel="noreferrer">
            Source
          </a>
        )}
        {documents !== null && (
          <a href={documents} rel="noreferrer">
            Documentation and API
          </a>
        )}
      </Column>
    </section>
  );
}
