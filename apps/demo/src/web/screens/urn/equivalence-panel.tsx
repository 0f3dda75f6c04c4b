import { compareUrns, type UrnComparison } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { UrnSyntax } from "@x/urn";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Data } from "../../components/data.tsx";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";

const VERDICTS: Readonly<Record<UrnComparison["verdict"], readonly [kind: string, title: string]>> =
  {
    equal: ["match", "Equivalent"],
    "equal-in-namespace": ["match", "Equivalent"],
    different: ["different", "Not equivalent"],
    unknown: ["error", "Cannot be compared"],
  };

interface EquivalencePanelProps {
  readonly a: string;
  readonly b: string;
}

function Comparison({ a, b, syntax }: EquivalencePanelProps & { syntax: UrnSyntax }): VNode {
  const { verdict, rule, compared } = useMemo(() => compareUrns(a, b, { syntax }), [a, b, syntax]);
  const [kind, title] = VERDICTS[verdict];
  const by = syntax === "rfc2141" ? "By RFC 2141" : "By RFC 8141";
  return (
    <div class="comparison">
      <h3>{by}</h3>
      <p>
        <span role="status">
          <span class="hidden">{by}: </span>
          <strong class={`tag ${kind}`}>{title}</strong>
        </span>{" "}
        {printable(rule)}
      </p>
      {compared !== null && (
        <p class="compared">
          <span class="muted">Compared as </span>
          {compared[0] === compared[1] ? (
            <Data text={compared[0]} limit={300} />
          ) : (
            <Difference before={compared[0]} after={compared[1]} />
          )}
        </p>
      )}
    </div>
  );
}

/** Whether two URNs are the same name, by both specifications. */
export function EquivalencePanel({ a, b }: EquivalencePanelProps): VNode {
  return (
    <Panel title="Are they the same name?">
      <div class="columns">
        <Comparison a={a} b={b} syntax="rfc2141" />
        <Comparison a={a} b={b} syntax="rfc8141" />
      </div>
    </Panel>
  );
}
