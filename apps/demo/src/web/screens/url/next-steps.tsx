import { urlReport } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import type { NamedLink } from "../../model/page-settings.ts";
import { SITES } from "../../model/sites.ts";
import type { UrlResult } from "../../model/url-result.ts";

interface NextStepsProps {
  readonly result: UrlResult;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
  /** The places for reports that the operator of the page has set; empty for the usual places. */
  readonly reports: readonly NamedLink[];
}

/** The usual places to report a dangerous site. */
const PLACES: readonly NamedLink[] = [
  {
    href: "https://safebrowsing.google.com/safebrowsing/report_phish/",
    name: "Google Safe Browsing",
  },
  { href: "https://www.microsoft.com/wdsi/support/report-unsafe-site", name: "Microsoft" },
  { href: "https://apwg.org/reportphishing/", name: "APWG" },
];

/** The places that the operator has set; otherwise the usual ones. */
export function placesOf(reports: readonly NamedLink[]): readonly NamedLink[] {
  return reports.length > 0 ? reports : PLACES;
}

/** Steps after the answer: help for people who have opened the link, and a report. */
export function NextSteps({ result, doubts, reports }: NextStepsProps): VNode | null {
  const { input, explained, looksLike, meant, restored, inner } = result;
  if (explained === null) return null;
  const known = { doubts, ...SITES };
  const report = (format: "text" | "markdown") => (): string =>
    inner === null
      ? urlReport(input, explained, { ...known, format, looksLike, meant, restored })
      : urlReport(inner.url, inner.explained, { ...known, format });
  return (
    <div class="next-steps">
      <details>
        <summary>I already clicked it</summary>
        <ul class="stack advice">
          <li>Only looked at the page? Close it. That is usually enough.</li>
          <li>Typed a password? Change it now, on the real site, and wherever else you use it.</li>
          <li>Gave a card number or a bank login? Call the bank, at the number on the card.</li>
          <li>Opened or installed a file? Take the device off the network, and ask for help.</li>
          <li>
            At work or at school? Tell the people who look after your computers. It is no shame.
          </li>
        </ul>
      </details>
      <details>
        <summary>Report it</summary>
        <p class="row report">
          <span>A report without links to click, for a ticket or a message:</span>
          <CopyButton text={report("text")} what="as plain text" label="Copy report" />
          <CopyButton text={report("markdown")} what="report" label="Copy as Markdown" />
        </p>
        <p class="row report">
          <span>Places that take reports:</span>
          {placesOf(reports).map(({ href, name }) => (
            <a key={href} href={href} rel="noreferrer">
              {printable(name)}
            </a>
          ))}
        </p>
      </details>
    </div>
  );
}
