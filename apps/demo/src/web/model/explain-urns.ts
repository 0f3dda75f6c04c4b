import { compareUrns, explainUrn } from "@x/explain";
import { findUrns, type UrnSyntax } from "@x/urn";
import { showFirst } from "./visible.ts";

/** Two texts that may be URNs, and a text that may contain some. */
export interface UrnTexts {
  readonly u: string;
  readonly v: string;
  readonly text: string;
  readonly syntax: UrnSyntax;
  /** Whether punctuation at the end of a URN in the text is left out. */
  readonly trim: boolean;
}

const MOST_MARKED = 100;

/** Everything that the screen for URNs shows. */
export type ExplainedUrns = ReturnType<typeof explainUrns>;

export function explainUrns({ u, v, text, syntax, trim }: UrnTexts) {
  return {
    explained: explainUrn(u, { syntax }),
    comparison: compareUrns(u, v, { syntax }),
    found: showFirst(findUrns(text, { syntax, trimPunctuation: trim }), MOST_MARKED),
  };
}
