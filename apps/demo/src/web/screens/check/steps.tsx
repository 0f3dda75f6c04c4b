import type { CanonicalizationStep } from "@x/canon";
import type { VNode } from "preact";
import { Difference } from "../../components/data.tsx";
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
