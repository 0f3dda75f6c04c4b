import { DOUBTFUL_CHANCE } from "@x/lookup";
import { counted } from "../counted.ts";
import type { UrlExplanation } from "./explain-url.ts";

/** Smaller chances are not given as exact numbers, which would mean nothing to people. */
const LEAST_TOLD = 1e-9;

/**
 * Says in words how likely it is that a harmless URL is listed by chance. `chance` is the result of
 * `chanceOfFalseMatch` of `@x/lookup`.
 *
 * @example
 * ```ts
 * import { oddsText } from "@x/explain";
 *
 * oddsText(0.0044); // → "about 1 harmless URL in 227 is listed by chance"
 * oddsText(1e-12); // → "fewer than 1 harmless URL in a billion is listed by chance"
 * ```
 */
export function oddsText(chance: number): string {
  if (chance === 0) return "no harmless URL is listed by chance";
  if (chance < LEAST_TOLD) return "fewer than 1 harmless URL in a billion is listed by chance";
  const one = Math.round(1 / chance);
  if (one < 2) return "most harmless URLs are listed by chance";
  return `about 1 harmless URL in ${one.toLocaleString("en")} is listed by chance`;
}

/**
 * The odds, in words, for harmless URLs with the same number of expressions. The more expressions a URL has, the
 * likelier a chance match is.
 */
export function oddsOfUrl({
  expressions,
  chanceOfFalseMatch,
}: Pick<UrlExplanation, "expressions" | "chanceOfFalseMatch">): string {
  const like = counted(expressions.length, "expression", "expressions");
  return `${oddsText(chanceOfFalseMatch ?? 0)} (for URLs with ${like})`;
}

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
