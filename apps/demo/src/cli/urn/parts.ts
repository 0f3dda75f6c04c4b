import type { Urn } from "@x/urn";

/** The parts that a URN's record has, in the order of the text. */
export type PartName = "nid" | "nss" | "rComponent" | "qComponent" | "fComponent";

/** Where a part stands in the text: two UTF-16 offsets, the second behind its last character. */
export type Span = readonly [start: number, end: number];

const URN = "urn:";

/** The parts of a URN by their places; `null` for those that it has not. */
export function partsOf(urn: Urn): Readonly<Record<PartName, Span | null>> {
  let at = 0;
  const next = (delimiter: number, part: string | null): Span | null => {
    if (part === null) return null;
    const start = at + delimiter;
    at = start + part.length;
    return [start, at];
  };
  return {
    nid: next(URN.length, urn.nid),
    nss: next(":".length, urn.nss),
    rComponent: next("?+".length, urn.rComponent),
    qComponent: next("?=".length, urn.qComponent),
    fComponent: next("#".length, urn.fComponent),
  };
}
