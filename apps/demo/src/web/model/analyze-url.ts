import {
  type CanonError,
  type CanonicalizationStep,
  type CanonicalUrl,
  explainCanonicalization,
  parseUrl,
} from "@x/canon";
import type { Checking, HashedExpression } from "./checking.ts";
import { hashedExpressions } from "./checking.ts";
import type { RowMatch } from "./row.ts";

/** All that the page shows of one URL. */
export interface UrlAnalysis {
  readonly url: CanonicalUrl;
  readonly steps: readonly CanonicalizationStep[];
  readonly hashes: readonly HashedExpression[];
  readonly matches: readonly RowMatch[];
}

export type UrlReading =
  | { readonly analysis: UrlAnalysis; readonly error: null }
  | { readonly analysis: null; readonly error: CanonError };

export function analyzeUrl(input: string, checking: Checking): UrlReading {
  try {
    const url = parseUrl(input);
    const analysis = {
      url,
      steps: explainCanonicalization(input),
      hashes: hashedExpressions(url),
      matches: checking.check(input).matches,
    };
    return { analysis, error: null };
  } catch (error) {
    if ((error as Error).name !== "CanonError") throw error;
    return { analysis: null, error: error as CanonError };
  }
}
