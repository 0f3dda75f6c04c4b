import { type FoundUrn, findUrns, type UrnSyntax } from "@x/urn";
import { type Cut, cut } from "./cut.ts";

export interface TextWithUrns {
  readonly text: string;
  readonly syntax: UrnSyntax;
  /** Leaves out punctuation at the end. */
  readonly trim: boolean;
}

const MOST_MARKED = 100;

/** The places of the URNs in running text. */
export function findUrnsIn({ text, syntax, trim }: TextWithUrns): Cut<FoundUrn> {
  return cut(findUrns(text, { syntax, trimPunctuation: trim }), MOST_MARKED);
}
