import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import type { PageSettings } from "../page-settings.ts";
import { Help } from "./components/help.tsx";

interface PageFooterProps {
  /** Whether a text is missing from the link, for example because it is too long. */
  readonly isLinkPartial: boolean;
  readonly settings: PageSettings;
}

/** The footer: help, and who runs the page. */
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
