import type { CanonicalizationStep } from "@x/canon";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";

const NAMES: Readonly<Record<CanonicalizationStep["step"], string>> = {
  "remove-tab-cr-lf": "Remove TAB, CR and LF",
  "trim-spaces": "Trim spaces",
  "remove-fragment": "Remove the fragment",
  unescape: "Unescape until nothing is left to unescape",
  split: "Split into scheme, host, path and query",
  "drop-userinfo": "Drop user and password",
  "drop-port": "Drop the port",
  "idn-to-ascii": "International name to ASCII",
  "trim-dots": "Trim dots of the host",
  "collapse-dots": "Collapse dots of the host",
  "normalize-ip-address": "Normalize an IP address",
  "lower-case-host": "Lower-case the host",
  "resolve-dot-segments": "Resolve /./ and /../",
  "collapse-slashes": "Collapse slashes of the path",
  escape: "Escape what has to be escaped",
};

interface StepsProps {
  readonly input: string;
  readonly steps: readonly CanonicalizationStep[];
}

/** Every step in the order of the text; those that changed something show what. */
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
          {changed} of {steps.length} steps changed something: <ins>put in</ins>,{" "}
          <del>taken out</del>.
        </>
      }
    >
      <ol class="steps">{items}</ol>
    </Panel>
  );
}
