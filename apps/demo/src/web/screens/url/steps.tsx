import type { CanonicalizationStep } from "@x/canon";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";

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

/** Every step in the order of the specification. Steps that changed something show what. */
export function Steps({ input, steps }: StepsProps): VNode {
  const changed = steps.filter((step) => step.changed).length;
  const items = useMemo(
    () =>
      steps.map((step, i) => (
        <li key={step.step} class={`step ${step.changed ? "changed" : "unchanged"}`}>
          <div class="step-head">
            <span class="step-name">{NAMES[step.step]}</span>
            <span class="muted">{step.changed ? step.section : "no change"}</span>
          </div>
          {step.changed && <Difference before={steps[i - 1]?.text ?? input} after={step.text} />}
        </li>
      )),
    [input, steps],
  );
  return (
    <Panel
      title="Canonicalization"
      lead={
        <>
          {changed} of {steps.length} steps changed something: <ins>inserted</ins>,{" "}
          <del>removed</del>.
        </>
      }
    >
      <ol class="steps">{items}</ol>
    </Panel>
  );
}
