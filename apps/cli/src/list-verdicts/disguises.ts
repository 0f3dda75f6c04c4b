import { disguisesOf } from "@x/explain";
import { isUnfinished } from "../follow/chain-text.ts";
import { inputAt } from "../input/arguments-or-lines.ts";
import type { Evaluator } from "../pipeline/evaluator.ts";
import { disguisesAlong } from "./found-disguises.ts";
import type { CheckedLine } from "./unwrapping.ts";

/** Whether a URL is certainly on no list. */
export function isNotListed(verdict: CheckedLine): boolean {
  const { matches, safeMatches, error, mayHaveMore, followed } = verdict;
  if (mayHaveMore || (followed !== undefined && isUnfinished(followed))) return false;
  return error === null && matches.length === 0 && safeMatches.length === 0;
}

/**
 * Adds disguises to the verdicts of an evaluator: for each URL on no list, the disguises of that URL and of the URLs
 * that it leads to.
 */
export function findingDisguises(evaluator: Evaluator<CheckedLine>): Evaluator<CheckedLine> {
  return {
    ...evaluator,
    async evaluate(part) {
      const evaluated = await evaluator.evaluate(part);
      const { verdicts, looks } = evaluated;
      let all: CheckedLine[] | null = null;
      for (let i = 0; i < verdicts.length; i++) {
        const verdict = verdicts[i]!;
        if (looks?.[i] === "plain" || !isNotListed(verdict)) continue;
        const own = disguisesOf(inputAt(part, verdict).text, verdict.readings);
        const disguises = disguisesAlong(own, verdict.followed);
        if (disguises.length === 0) continue;
        all ??= [...verdicts];
        all[i] = { ...verdict, disguises };
      }
      return { ...evaluated, verdicts: all ?? verdicts };
    },
  };
}
