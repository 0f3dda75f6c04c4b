import { type CanonicalizationStep, tryParseUrl } from "@x/canon";
import {
  type UrlExplanation,
  VERDICT_LABELS,
  type VerdictCode,
  verdictOfReading,
} from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { CopyButton } from "../../components/buttons.tsx";
import { Data, Difference, Shortened } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";
import { ErrorCode } from "../../components/problem.tsx";
import { VERDICT_CLASSES } from "../../model/verdicts.ts";

const NAMES: Readonly<Record<CanonicalizationStep["step"], string>> = {
  "remove-tab-cr-lf": "Remove TAB, CR and LF",
  "trim-spaces": "Trim spaces",
  "remove-fragment": "Remove the fragment",
  unescape: "Unescape until no escape is left",
  split: "Split into scheme, host, path and query",
  "drop-userinfo": "Drop the user name and password",
  "drop-port": "Drop the port",
  "idn-to-ascii": "Convert an international name to ASCII",
  "trim-dots": "Trim dots at the ends of the host",
  "collapse-dots": "Collapse dots in the host",
  "normalize-ip-address": "Normalize an IP address",
  "lower-case-host": "Lower-case the host",
  "resolve-dot-segments": "Resolve /./ and /../",
  "collapse-slashes": "Collapse slashes in the path",
  escape: "Escape special characters",
};

interface StepsProps {
  readonly input: string;
  readonly steps: readonly CanonicalizationStep[];
}

export function Steps({ input, steps }: StepsProps): VNode {
  const all = steps.map((step, i) => ({
    ...step,
    number: i + 1,
    before: steps[i - 1]?.text ?? input,
  }));
  const changed = all.filter((step) => step.changed);
  const lead = (
    <>
      {changed.length} of {all.length} steps changed something: <ins>inserted</ins>,{" "}
      <del>removed</del>.
    </>
  );
  return (
    <Panel
      title="Canonicalization"
      lead={changed.length === 0 ? `None of the ${all.length} steps changed anything.` : lead}
    >
      <ol class="steps">
        {changed.map(({ step, section, number, before, text }) => (
          <li key={step} class="step" value={number}>
            <div class="row step-head">
              <span class="step-name">{NAMES[step]}</span>
              <span class="muted">{section}</span>
            </div>
            <Difference before={before} after={text} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

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

const ROLES = ["scheme", "host", "path", "query"] as const;
const BEFORE = { scheme: "", host: "://", path: "", query: "?" } as const;

/** The canonical URL. Each part has the colour and the underline of its role. */
export function CanonicalParts({ url }: { readonly url: UrlExplanation }): VNode {
  // As in the answer, a host that browsers do not open has the colour of the rules.
  const opened = url.browser === null ? null : tryParseUrl(url.browser.canonical);
  const isOther = url.refused === null && opened !== null && opened.host !== url.host;
  return (
    <p
      class="data big"
      dir="ltr"
      data-testid={url.refused === null ? "canonical" : "browser-canonical"}
    >
      {ROLES.map((role) => {
        const text = url[role];
        return (
          text !== null && (
            <span key={role}>
              {BEFORE[role]}
              <span class={`part ${role === "host" && isOther ? "rules-host" : role}`}>
                <Shortened text={text} limit={600} />
              </span>
            </span>
          )
        );
      })}
    </p>
  );
}
