import { urlReport } from "@x/explain";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import type { UrlResult } from "../../model/url-result.ts";

interface ReportProps {
  readonly result: UrlResult;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
}

/** The buttons that copy a defanged report for a ticket or a chat channel. */
export function Report({ result, doubts }: ReportProps): VNode | null {
  const { input, explained, looksLike, meant, restored } = result;
  if (explained === null) return null;
  const report = (format: "text" | "markdown") => (): string =>
    urlReport(input, explained, { format, doubts, looksLike, meant, restored });
  return (
    <p class="row report">
      <span class="muted">For a ticket or a message, without links to click:</span>
      <CopyButton text={report("text")} what="as plain text" label="Copy report" />
      <CopyButton text={report("markdown")} what="report" label="Copy as Markdown" />
    </p>
  );
}
