import { type CanonicalizationStep, tryParseUrl } from "@x/canon";
import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { Difference, Shortened } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";

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
