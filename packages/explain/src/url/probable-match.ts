import { DOUBTFUL_CHANCE } from "@x/lookup";
import type { UrlExplanation } from "./explain-url.ts";

/**
 * Whether a match of a hash prefix must be called probable, because at least one harmless URL in a million matches by
 * chance.
 *
 * @param chance the result of `chanceOfFalseMatch` of `@x/lookup`; `null` when there was no list.
 * @example
 * ```ts
 * import { isDoubtful } from "@x/explain";
 *
 * isDoubtful(0.0044); // → true
 * isDoubtful(1e-12); // → false
 * ```
 */
export function isDoubtful(chance: number | null): boolean {
  return chance !== null && chance >= DOUBTFUL_CHANCE;
}

/** Whether the URL may be listed only by chance. */
export function isProbable({
  matches,
  chanceOfFalseMatch,
}: Pick<UrlExplanation, "matches" | "chanceOfFalseMatch">): boolean {
  return isDoubtful(chanceOfFalseMatch) && !matches.some(({ confirmed }) => confirmed);
}

/** Whether a match with a long prefix is certain, although other lists have short ones. */
export function isCertainByLength(
  explained: Pick<UrlExplanation, "matches" | "chanceOfFalseMatch">,
): boolean {
  return isDoubtful(explained.chanceOfFalseMatch) && !isProbable(explained);
}
