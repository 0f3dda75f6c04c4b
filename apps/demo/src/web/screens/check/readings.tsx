import {
  type UrlExplanation,
  VERDICT_LABELS,
  type VerdictCode,
  verdictOfReading,
} from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";
import { ErrorCode } from "../../components/problem.tsx";
import { VERDICT_CLASSES } from "../../model/verdict-classes.ts";

function tagOf(verdict: VerdictCode): VNode {
  return <span class={`tag ${VERDICT_CLASSES[verdict]}`}>{VERDICT_LABELS[verdict]}</span>;
}

/** Shows both readings of a URL that browsers read differently, and why they differ. */
export function Readings({ explained }: { readonly explained: UrlExplanation }): VNode | null {
  const { browser, refused, canonical } = explained;
  if (browser === null) return null;
  return (
    <Panel
      title="A browser would open another URL"
      class="readings"
      lead="Browsers do not read this text as the specification of Safe Browsing does. Both URLs are looked up."
      actions={<CopyButton text={() => browser.opens} what="the URL that a browser opens" />}
    >
      <dl class="columns two-readings">
        <div>
          <dt>The specification reads {tagOf(verdictOfReading(explained, "specification"))}</dt>
          <dd data-testid="specification-reads">
            {refused === null ? (
              <Data text={canonical} limit={400} />
            ) : (
              <span class="muted">
                not a URL: expected {printable(refused.expected)}. <ErrorCode code={refused.code} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>A browser would open {tagOf(verdictOfReading(explained, "browser"))}</dt>
          <dd data-testid="browser-opens">
            {refused === null ? (
              <Difference before={canonical} after={browser.opens} />
            ) : (
              <Data text={browser.opens} limit={400} />
            )}
          </dd>
        </div>
      </dl>
      <ul class="stack notes" aria-label="Why a browser opens another URL">
        {browser.differences.map(({ code, message }) => (
          <li key={code}>{message}</li>
        ))}
      </ul>
    </Panel>
  );
}
