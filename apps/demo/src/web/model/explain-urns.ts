import { compareUrns, explainUrn } from "@x/explain";
import type { UrnSyntax } from "@x/urn";

/** Two texts that may be URNs. */
interface TwoUrns {
  readonly u: string;
  readonly v: string;
}

/** The explanation of two texts by one specification. */
export type ExplainedUrns = ReturnType<typeof explain>;

function explain({ u, v }: TwoUrns, syntax: UrnSyntax) {
  const comparison = compareUrns(u, v, { syntax });
  const [, second] = comparison.urns;
  return {
    u: explainUrn(u, { syntax }),
    /** Why the second text is not a URN; `null` when it is one. */
    refusedV: "error" in second ? { error: second.error } : null,
    comparison,
  };
}

/** Explains two texts by both specifications. */
export function explainUrns(urns: TwoUrns): Readonly<Record<UrnSyntax, ExplainedUrns>> {
  return { rfc2141: explain(urns, "rfc2141"), rfc8141: explain(urns, "rfc8141") };
}

/** Whether two records of plain data are the same. */
export function areSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
