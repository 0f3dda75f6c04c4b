import type { UrnComparison } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { areSame, type ExplainedUrns } from "../../model/explain-urns.ts";

const VERDICTS: Readonly<Record<UrnComparison["verdict"], readonly [kind: string, title: string]>> =
  {
    equal: ["match", "Equivalent"],
    "equal-in-namespace": ["match", "Equivalent"],
    different: ["different", "Not equivalent"],
    unknown: ["error", "Cannot be compared"],
  };

interface ComparisonProps {
  readonly by: string;
  readonly explained: ExplainedUrns;
  readonly second: string;
}

function Comparison({ by, explained, second }: ComparisonProps): VNode {
  const { verdict, rule, compared } = explained.comparison;
  const [kind, title] = VERDICTS[verdict];
  return (
    <div class="stack comparison">
      <h3>{by}</h3>
      <p>
        <strong class={`tag ${kind}`}>{title}</strong> {printable(rule)}
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
      {explained.refusedV !== null && (
        <>
          <p>What is wrong with the second one:</p>
          <Problem error={explained.refusedV.error} input={second} />
        </>
      )}
    </div>
  );
}

interface EquivalencePanelProps {
  readonly rfc2141: ExplainedUrns;
  readonly rfc8141: ExplainedUrns;
  readonly first: string;
  readonly second: string;
}

/** Says whether two URNs are the same name, by each of the two specifications. */
export function EquivalencePanel(props: EquivalencePanelProps): VNode {
  const { rfc2141, rfc8141, first, second } = props;
  const titleOf = ({ comparison }: ExplainedUrns): string => VERDICTS[comparison.verdict][1];
  const isOne =
    areSame(rfc2141.comparison, rfc8141.comparison) &&
    areSame({ ...rfc2141.refusedV }, { ...rfc8141.refusedV });
  const isEmpty = first === "" || second === "";
  const said = isEmpty ? "" : `By RFC 2141: ${titleOf(rfc2141)}. By RFC 8141: ${titleOf(rfc8141)}.`;
  return (
    <Panel title="Are they the same name?">
      <Announcement text={said} />
      {isEmpty ? (
        <p class="muted">Type two URNs to compare them.</p>
      ) : (
        <>
          {isOne && (
            <Comparison by="By RFC 2141 and RFC 8141" explained={rfc8141} second={second} />
          )}
          {!isOne && (
            <div class="columns">
              <Comparison by="By RFC 2141" explained={rfc2141} second={second} />
              <Comparison by="By RFC 8141" explained={rfc8141} second={second} />
            </div>
          )}
        </>
      )}
    </Panel>
  );
}
