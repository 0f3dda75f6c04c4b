import { urlReport } from "@x/explain";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import type { UrlResult } from "./use-url.ts";

interface ReportProps {
  readonly result: UrlResult;
  /** Sentences that say why lists are missing. */
  readonly doubts: readonly string[];
}

/** Copies a defanged report for a ticket or a channel. */
export function Report({ result, doubts }: ReportProps): VNode | null {
  const { input, explained, looksLike, meant } = result;
  if (explained === null) return null;
  const report = (format: "text" | "markdown") => (): string =>
    urlReport(input, explained, { format, doubts, looksLike, meant });
  return (
    <p class="row report">
      <span class="muted">Report, defanged:</span>
      <CopyButton text={report("text")} what="the report as plain text" label="Copy text" />
      <CopyButton text={report("markdown")} what="the report as Markdown" label="Copy Markdown" />
    </p>
  );
}
