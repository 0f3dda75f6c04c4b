import {
  type CanonError,
  type CanonicalizationStep,
  type CanonicalUrl,
  explainCanonicalization,
  parseUrl,
} from "@x/canon";
import { type UrlHash, urlHashes } from "@x/lookup";
import type { Checking } from "./checking.ts";
import type { RowMatch } from "./row.ts";

/** All that the page shows of one URL. */
export interface UrlAnalysis {
  readonly url: CanonicalUrl;
  readonly steps: readonly CanonicalizationStep[];
  readonly hashes: readonly UrlHash[];
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
      hashes: urlHashes(url),
      matches: checking.check(input),
    };
    return { analysis, error: null };
  } catch (error) {
    if ((error as Error).name !== "CanonError") throw error;
    return { analysis: null, error: error as CanonError };
  }
}
