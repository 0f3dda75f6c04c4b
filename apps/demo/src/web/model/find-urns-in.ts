import { type FoundUrn, findUrns, type UrnSyntax } from "@x/urn";
import { type ShownOfMany, showFirst } from "./shown-of-many.ts";

export interface TextWithUrns {
  readonly text: string;
  readonly syntax: UrnSyntax;
  /** Whether punctuation at the end of a URN is left out. */
  readonly trim: boolean;
}

const MOST_MARKED = 100;

/** The URNs in running text. */
export function findUrnsIn({ text, syntax, trim }: TextWithUrns): ShownOfMany<FoundUrn> {
  return showFirst(findUrns(text, { syntax, trimPunctuation: trim }), MOST_MARKED);
}
